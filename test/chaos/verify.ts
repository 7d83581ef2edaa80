// Compares the service with the facts after the load: each launch row with what was acknowledged, and
// the HTTP answers of each node. Now exchanges the codes whose exchange was cut off or that were not
// redeemed, twice at once. Finds only; verdict.ts decides.
import { createHash } from 'node:crypto'
import { api, exchange, isActive, type Practice } from '../process/story-verbs.ts'
import type { AppFact, FlowFact } from './facts.ts'
import type { LoadContext } from './flow.ts'
import { introspectWith } from './registrations.ts'
import { openRelyingParty } from './relying-party.ts'

export interface Findings {
  /** Codes that gave more than one token. */
  readonly doubleIssues: string[]
  /** Acknowledged writes that are missing, in words. */
  readonly lost: string[]
  /** ID tokens that the keys of some node do not verify. */
  readonly badIdTokens: string[]
  /** Checks that failed to run, and why. */
  readonly unfinished: string[]
  /** Counts of the checks. */
  readonly checked: Record<string, number>
}

const ROW_BATCH = 5000
const CHECKS_IN_FLIGHT = 8

export interface Subject {
  readonly loadContext: LoadContext
  readonly nodeUrls: readonly string[]
  readonly baseUrl: string
  /** The row of each flow is checked; of each kind so many are also checked over HTTP. */
  readonly httpChecks: number
  /** Reads from the server that takes writes now. */
  readonly rows: (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>
}

export const emptyFindings = (): Findings => ({
  doubleIssues: [],
  lost: [],
  badIdTokens: [],
  unfinished: [],
  checked: {},
})

export async function verify(subject: Subject): Promise<Findings> {
  const findings = emptyFindings()
  for (const check of [verifyRows, verifyApps, verifyTokens, verifyCodes, verifyIdTokens]) {
    try {
      await check(subject, findings)
    } catch (error) {
      findings.unfinished.push(`${check.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return findings
}

async function verifyRows({ loadContext, rows }: Subject, findings: Findings): Promise<void> {
  const { flows } = loadContext.facts
  for (let at = 0; at < flows.length; at += ROW_BATCH) {
    const some = flows.slice(at, at + ROW_BATCH)
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
    const isUnredeemed = flow.kind === 'unredeemed' && flow.code !== undefined
    if (isUnredeemed && row.code_hash !== hashOf(flow.code ?? '')) return 'a code is lost'
    return isUnredeemed && row.code_spent_at !== null
      ? 'a code was redeemed without a request'
      : undefined
  }
  if (!flow.tokens.some((one) => row.token_hash === hashOf(one))) return 'an exchange is lost'
  if (flow.isRevoked && !isRevoked) return 'a revocation is lost'
  if (flow.isReplayed && !isRevoked) return 'a replay left the token alive'
  // A revocation may have been carried out without its answer having come.
  const mayBeRevoked = flow.kind === 'revoked' || flow.isReplayed || flow.isUnknown
  return isRevoked && !mayBeRevoked ? 'a token was revoked without a request' : undefined
}

async function verifyApps(subject: Subject, findings: Findings): Promise<void> {
  const { loadContext } = subject
  const apps = loadContext.facts.apps
  await mapInBatches(apps, async (app, i) => {
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
  const { flows } = subject.loadContext.facts
  const alive = flows.filter(
    ({ tokens, kind, isReplayed, isUnknown }) =>
      tokens.length === 1 && kind !== 'revoked' && !isReplayed && !isUnknown,
  )
  const dead = flows.filter(({ isRevoked }) => isRevoked)
  const { httpChecks } = subject
  const [asked, askedDead] = [spread(alive, httpChecks), spread(dead, httpChecks)]
  await mapInBatches(asked, async (flow, i) => {
    const [token = ''] = flow.tokens
    if (!(await isActive(at(subject, i), token))) findings.lost.push(`a token is dead (${flow.id})`)
    const replay = await exchange(at(subject, i + 1), flow.code ?? '')
    if (replay.status === 200) findings.doubleIssues.push(flow.id)
    if (await isActive(at(subject, i + 2), token)) {
      findings.lost.push(`a replay left the token alive (${flow.id})`)
    }
  })
  await mapInBatches(askedDead, async (flow, i) => {
    if (await isActive(at(subject, i), flow.tokens[0] ?? '')) {
      findings.lost.push(`a revoked token is alive (${flow.id})`)
    }
  })
  count(findings, 'introspections and replays over HTTP', asked.length * 3 + askedDead.length)
}

/** PooledConnection codes buy exactly one token; those whose exchange was cut off at most one. */
async function verifyCodes(subject: Subject, findings: Findings): Promise<void> {
  const { flows } = subject.loadContext.facts
  const held = spread(
    flows.filter(({ kind, code }) => kind === 'unredeemed' && code),
    subject.httpChecks,
  )
  const unknown = flows.filter(({ isUnknown }) => isUnknown)
  let spent = 0
  await mapInBatches([...held, ...unknown], async (flow, i) => {
    const answers = await Promise.all([
      exchange(at(subject, i), flow.code ?? ''),
      exchange(at(subject, i + 1), flow.code ?? ''),
    ])
    const bought = answers.filter(({ status }) => status === 200).length + flow.tokens.length
    if (bought > 1) findings.doubleIssues.push(flow.id)
    if (bought === 0 && flow.kind === 'unredeemed')
      findings.lost.push(`a code is lost (${flow.id})`)
    if (bought === 0) spent += 1
  })
  count(findings, 'kept codes', held.length)
  count(findings, 'exchanges without an answer', unknown.length)
  count(findings, 'of these carried out', spent)
}

/** The last ID token of each key, with the key set of each node. */
async function verifyIdTokens({ loadContext, nodeUrls, baseUrl }: Subject, findings: Findings) {
  const { lastOfKey } = loadContext.facts
  for (const nodeUrl of nodeUrls) {
    for (const [kid, { idToken, launchId }] of lastOfKey) {
      const audience = loadContext.practice.app.clientId
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
function at({ loadContext, nodeUrls }: Subject, i: number): Practice {
  return { ...loadContext.practice, baseUrl: nodeUrls[i % nodeUrls.length] ?? '' }
}

/** At most so many, evenly over the run. */
function spread<T>(items: readonly T[], limit: number): T[] {
  const step = Math.max(1, items.length / limit)
  const most = Math.min(items.length, limit)
  return Array.from({ length: most }, (_, i) => items[Math.floor(i * step)] as T)
}

async function mapInBatches<T>(items: readonly T[], work: (item: T, i: number) => Promise<void>) {
  let next = 0
  const lane = async () => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as T, i)
  }
  await Promise.all(Array.from({ length: CHECKS_IN_FLIGHT }, lane))
}
