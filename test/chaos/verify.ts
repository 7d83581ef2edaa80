// Holds the service to its facts after the load: every launch row against what was acknowledged, and
// over HTTP on every node what a client would see. Codes whose exchange was cut off and codes that
// were kept are exchanged now, twice at once. Finds; does not judge (verdict.ts does).
import { createHash } from 'node:crypto'
import { api, exchange, isActive, type Practice } from '../process/story-verbs.ts'
import type { AppFact, FlowFact } from './facts.ts'
import type { World } from './flow.ts'
import { introspectWith } from './registrations.ts'
import { openRelyingParty } from './relying-party.ts'

export interface Findings {
  /** Codes that bought more than one token. */
  readonly doubleIssues: string[]
  /** Acknowledged writes that are not there, in words. */
  readonly lost: string[]
  /** ID tokens that the keys of some node do not verify. */
  readonly badIdTokens: string[]
  /** Checks that could not be made to their end, and why. */
  readonly unfinished: string[]
  /** What was looked at. */
  readonly checked: Record<string, number>
}

/** Every flow is checked in its row; of each kind so many are besides asked about over HTTP. */
const ASKED_OF_EACH = 200
const ROWS_AT_ONCE = 5000
const CHECKS_IN_FLIGHT = 8

export interface Subject {
  readonly world: World
  readonly nodeUrls: readonly string[]
  readonly baseUrl: string
  /** Reads from the server that takes writes now. */
  readonly rows: (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>
}

export const noFindings = (): Findings => ({
  doubleIssues: [],
  lost: [],
  badIdTokens: [],
  unfinished: [],
  checked: {},
})

export async function verify(subject: Subject): Promise<Findings> {
  const findings = noFindings()
  for (const check of [verifyRows, verifyApps, verifyTokens, verifyCodes, verifyIdTokens]) {
    try {
      await check(subject, findings)
    } catch (error) {
      findings.unfinished.push(`${check.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return findings
}

async function verifyRows({ world, rows }: Subject, findings: Findings): Promise<void> {
  const { flows } = world.facts
  for (let at = 0; at < flows.length; at += ROWS_AT_ONCE) {
    const some = flows.slice(at, at + ROWS_AT_ONCE)
    const found = await rows('SELECT * FROM launches WHERE id = ANY($1)', [some.map((f) => f.id)])
    const byId = new Map(found.map((row) => [row.id, row]))
    for (const flow of some) {
      if (flow.tokens.length > 1) findings.doubleIssues.push(flow.id)
      const lost = findLoss(flow, byId.get(flow.id))
      if (lost) findings.lost.push(`${lost} (${flow.kind} ${flow.id})`)
    }
  }
  count(findings, 'launches', flows.length)
  count(findings, 'exchanges', flows.filter(({ tokens }) => tokens.length > 0).length)
  count(findings, 'revocations', flows.filter(({ isRevoked }) => isRevoked).length)
}

export const hashOf = (bearer: string) => createHash('sha256').update(bearer).digest('base64url')

/** What a launch row does not stand by, in words. */
export function findLoss(
  flow: FlowFact,
  row: Record<string, unknown> | undefined,
): string | undefined {
  if (!row || row.launch_hash !== hashOf(flow.launchId)) return 'a launch is lost'
  const [token] = flow.tokens
  const isRevoked = row.token_revoked_at !== null
  if (token === undefined) {
    const isHeld = flow.kind === 'held' && flow.code !== undefined
    if (isHeld && row.code_hash !== hashOf(flow.code ?? '')) return 'a code is lost'
    return isHeld && row.code_spent_at !== null ? 'a code was spent by nobody' : undefined
  }
  if (!flow.tokens.some((one) => row.token_hash === hashOf(one))) return 'an exchange is lost'
  if (flow.isRevoked && !isRevoked) return 'a revocation is lost'
  if (flow.isReplayed && !isRevoked) return 'a replay left the token alive'
  // A revocation may have been carried out without its answer having come.
  const mayBeRevoked = flow.kind === 'revoked' || flow.isReplayed || flow.isUnknown
  return isRevoked && !mayBeRevoked ? 'a token was revoked by nobody' : undefined
}

async function verifyApps(subject: Subject, findings: Findings): Promise<void> {
  const { world } = subject
  const apps = world.facts.apps
  await inTurns(apps, async (app, i) => {
    const practice = at(subject, i)
    const found = await api(practice, 'GET', `/api/apps/${app.id}`)
    if (found.status !== 200 || found.body.clientId !== app.clientId) {
      findings.lost.push(`an app is lost (${app.id})`)
    } else if (app.secretState !== 'unknown') await verifySecret(practice, app, findings)
  })
  count(findings, 'apps', apps.length)
  count(findings, 'retired secrets', apps.filter((app) => app.secretState === 'retired').length)
}

async function verifySecret({ baseUrl }: Practice, app: AppFact, findings: Findings) {
  const { status } = await introspectWith(baseUrl, app)
  if (status !== (app.secretState === 'retired' ? 401 : 200)) {
    findings.lost.push(`a ${app.secretState} secret answers ${status} (${app.id})`)
  }
}

/** Tokens over HTTP, each on another node than the last; then a replay of their codes. */
async function verifyTokens(subject: Subject, findings: Findings): Promise<void> {
  const { flows } = subject.world.facts
  const alive = flows.filter(
    ({ tokens, kind, isReplayed, isUnknown }) =>
      tokens.length === 1 && kind !== 'revoked' && !isReplayed && !isUnknown,
  )
  const dead = flows.filter(({ isRevoked }) => isRevoked)
  const [asked, askedDead] = [spread(alive), spread(dead)]
  await inTurns(asked, async (flow, i) => {
    const [token = ''] = flow.tokens
    if (!(await isActive(at(subject, i), token))) findings.lost.push(`a token is dead (${flow.id})`)
    const replay = await exchange(at(subject, i + 1), flow.code ?? '')
    if (replay.status === 200) findings.doubleIssues.push(flow.id)
    if (await isActive(at(subject, i + 2), token)) {
      findings.lost.push(`a replay left the token alive (${flow.id})`)
    }
  })
  await inTurns(askedDead, async (flow, i) => {
    if (await isActive(at(subject, i), flow.tokens[0] ?? '')) {
      findings.lost.push(`a revoked token is alive (${flow.id})`)
    }
  })
  count(findings, 'introspections and replays over HTTP', asked.length * 3 + askedDead.length)
}

/** Kept codes buy exactly one token; those whose exchange was cut off at most one. */
async function verifyCodes(subject: Subject, findings: Findings): Promise<void> {
  const { flows } = subject.world.facts
  const held = spread(flows.filter(({ kind, code }) => kind === 'held' && code))
  const unknown = flows.filter(({ isUnknown }) => isUnknown)
  let spent = 0
  await inTurns([...held, ...unknown], async (flow, i) => {
    const answers = await Promise.all([
      exchange(at(subject, i), flow.code ?? ''),
      exchange(at(subject, i + 1), flow.code ?? ''),
    ])
    const bought = answers.filter(({ status }) => status === 200).length + flow.tokens.length
    if (bought > 1) findings.doubleIssues.push(flow.id)
    if (bought === 0 && flow.kind === 'held') findings.lost.push(`a code is lost (${flow.id})`)
    if (bought === 0) spent += 1
  })
  count(findings, 'kept codes', held.length)
  count(findings, 'exchanges without an answer', unknown.length)
  count(findings, 'of these carried out', spent)
}

/** The last ID token of each key, with the key set of each node. */
async function verifyIdTokens({ world, nodeUrls, baseUrl }: Subject, findings: Findings) {
  const { lastOfKey } = world.facts
  for (const nodeUrl of nodeUrls) {
    for (const [kid, { idToken, launchId }] of lastOfKey) {
      const audience = world.practice.app.clientId
      const party = openRelyingParty(baseUrl, nodeUrl)
      await party.verify(idToken, { audience, launchId }).catch((error) => {
        findings.badIdTokens.push(`${kid} by the keys of ${nodeUrl}: ${error}`)
      })
    }
  }
  count(findings, 'signing keys seen', lastOfKey.size)
}

const count = (findings: Findings, what: string, number: number) => {
  findings.checked[what] = number
}

/** The practice as one of the nodes sees it. */
function at({ world, nodeUrls }: Subject, i: number): Practice {
  return { ...world.practice, baseUrl: nodeUrls[i % nodeUrls.length] ?? '' }
}

/** At most ASKED_OF_EACH, evenly over the run. */
function spread<T>(items: readonly T[]): T[] {
  const step = Math.max(1, items.length / ASKED_OF_EACH)
  const most = Math.min(items.length, ASKED_OF_EACH)
  return Array.from({ length: most }, (_, i) => items[Math.floor(i * step)] as T)
}

async function inTurns<T>(items: readonly T[], work: (item: T, i: number) => Promise<void>) {
  let next = 0
  const lane = async () => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as T, i)
  }
  await Promise.all(Array.from({ length: CHECKS_IN_FLIGHT }, lane))
}
