// One of two workers of a Citus dies under load and its standby takes its place: what goes on meanwhile, what is
// lost or doubled, and whether the node heals without a restart. Prints a table; fails when a guarantee is broken.
// docs/operate/scaling.md, docs/operate/failures.md.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { partOf } from '../../packages/server/src/kernel/partitions.ts'
import { ADMIN, startService } from '../process/service-process.ts'
import {
  api,
  authorize,
  exchange,
  freshCode,
  isActive,
  launch,
  openSession,
  type Practice,
  send,
  setPasswordByLink,
  setUpPractice,
  signIn,
} from '../process/story-verbs.ts'
import { type CitusCluster, divideTables } from './cluster.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** On each worker. */
const PRACTICES = 4
const EVERY_MS = 200
const SECONDS = { before: 6, away: 16, healed: 8 }
const KINDS = ['sign-in', 'sign-out', 'session', 'launch'] as const
/** Of each kind that begins while the worker is away, this share goes on at least. */
const FLOOR_PERCENT = 40
const ONE_CODE_EXCHANGES = 100

type Phase = keyof typeof SECONDS
type Kind = (typeof KINDS)[number]
interface Attempt {
  readonly kind: Kind
  readonly phase: Phase
  readonly failure: string | undefined
}
/** With a provider of its own. */
interface Clinic extends Practice {
  readonly credentials: { readonly email: string; readonly password: string }
}
interface Acknowledged {
  readonly practice: Practice
  readonly code: string
  readonly token: string
}

export async function runOutage(cluster: CitusCluster): Promise<void> {
  await divideTables(cluster.url)
  const node = await startService({ environment: { CHARTSIDE_DATABASE_URL: cluster.url } })
  try {
    const practices = await setUpPractices(cluster, node.baseUrl)
    const load = startLoad(practices)
    const probes = watchReadiness(node.baseUrl, () => load.phase)
    await sleep(SECONDS.before * 1000)
    load.phase = 'away'
    await cluster.killWorker()
    await sleep(SECONDS.away * 1000)
    await cluster.promoteStandby()
    await sleep(2000)
    load.phase = 'healed'
    await sleep(SECONDS.healed * 1000)
    await load.stop()
    const ready = await probes.stop()
    report(load.attempts, ready)
    const broken = [
      ...judge(load.attempts, ready),
      ...(await listBrokenTokens(load.acknowledged)),
      ...(await exchangeAtOnce(practices[0] as Practice)),
    ]
    say(`${load.acknowledged.length} tokens acknowledged.`)
    assert.deepEqual(broken, [], 'every guarantee holds')
  } finally {
    await node.discard()
  }
}

/** As many on each worker. */
async function setUpPractices(cluster: CitusCluster, baseUrl: string): Promise<Clinic[]> {
  const first: Practice[] = []
  const second: Practice[] = []
  while (first.length < PRACTICES || second.length < PRACTICES) {
    const practice = await setUpPractice(baseUrl, ADMIN)
    const isOnSecond = await cluster.isOnSecond(partOf(practice.accountId))
    ;(isOnSecond ? second : first).push(practice)
  }
  const chosen = [...first.slice(0, PRACTICES), ...second.slice(0, PRACTICES)]
  return Promise.all(chosen.map(addProvider))
}

async function addProvider(practice: Practice, place: number): Promise<Clinic> {
  const credentials = { email: `p${place}@process.example`, password: ADMIN.password }
  const member = { email: credentials.email, name: `Provider ${place}`, role: 'provider' }
  const path = `/api/accounts/${practice.accountId}/members`
  const { body } = await api(practice, 'POST', path, member)
  await setPasswordByLink(String(body.invitationUrl), credentials.password)
  const signedIn = { ...practice, sessionToken: await signIn(practice.baseUrl, credentials) }
  return { ...signedIn, credentials, sessionId: await openSession(signedIn, practice.accountId) }
}

function startLoad(practices: readonly Clinic[]) {
  const attempts: Attempt[] = []
  const acknowledged: Acknowledged[] = []
  const open = new Set<Promise<void>>()
  const load = { phase: 'before' as Phase, attempts, acknowledged, stop }
  const attempt = (kind: Kind, work: () => Promise<void>) => {
    const begun = load.phase
    const note = (failure: string | undefined) => {
      // What the worker took with it when it died is of the time without it.
      attempts.push({ kind, phase: begun === 'before' ? load.phase : begun, failure })
    }
    const one = work().then(
      () => note(undefined),
      (error: Error) => note(error.message),
    )
    open.add(one)
    void one.finally(() => open.delete(one))
  }
  let turn = 0
  const timer = setInterval(() => {
    const practice = practices[turn++ % practices.length] as Clinic
    const { baseUrl, credentials } = practice
    attempt('sign-in', async () => {
      const sessionToken = await signIn(baseUrl, credentials)
      attempt('sign-out', () => signOut({ ...practice, sessionToken }))
    })
    attempt('session', async () => void (await openSession(practice, practice.accountId)))
    attempt('launch', async () => void acknowledged.push(await launchOnce(practice)))
  }, EVERY_MS)
  async function stop(): Promise<void> {
    clearInterval(timer)
    await Promise.all(open)
  }
  return load
}

/** With an EHR session that ends too. */
async function signOut(clinic: Clinic): Promise<void> {
  await openSession(clinic, clinic.accountId)
  const { status, text } = await api(clinic, 'POST', '/auth/sign-out', {})
  assert.equal(status, 204, text)
}

async function launchOnce(practice: Practice): Promise<Acknowledged> {
  const { launchId } = await launch(practice)
  const { answer, code } = await authorize(practice, launchId)
  assert.ok(code, `authorize ${answer.status}`)
  const exchanged = await exchange(practice, code)
  assert.equal(exchanged.status, 200, `token ${exchanged.status} ${exchanged.text}`)
  return { practice, code, token: String(exchanged.body.access_token) }
}

interface Probe {
  readonly phase: Phase
  readonly status: number
  readonly degraded: unknown
}

function watchReadiness(baseUrl: string, phase: () => Phase) {
  const probes: Probe[] = []
  let isOver = false
  const run = (async () => {
    while (!isOver) {
      const begun = phase()
      const { status, body } = await send(baseUrl, '/health/ready')
      probes.push({ phase: begun, status, degraded: body.degraded })
      await sleep(500)
    }
  })()
  const stop = async () => {
    isOver = true
    await run
    return probes
  }
  return { stop }
}

const isOf = (kind: Kind, phase: Phase) => (one: Attempt) =>
  one.kind === kind && one.phase === phase
const shareOf = (some: readonly Attempt[]) =>
  Math.round((some.filter(({ failure }) => failure === undefined).length / some.length) * 100)

function report(attempts: readonly Attempt[], probes: readonly Probe[]): void {
  say('\nphase    what      tried  done')
  for (const phase of Object.keys(SECONDS) as Phase[]) {
    for (const kind of KINDS) {
      const some = attempts.filter(isOf(kind, phase))
      say(
        `${phase.padEnd(8)} ${kind.padEnd(8)} ${String(some.length).padStart(6)} ${shareOf(some)} %`,
      )
    }
    const own = probes.filter((one) => one.phase === phase)
    const ready = own.filter(({ status }) => status === 200).length
    const degraded = own.find((one) => one.degraded !== undefined)?.degraded
    say(
      `${phase.padEnd(8)} ready    ${String(own.length).padStart(6)} ${ready} times ${degraded ?? ''}`,
    )
  }
  const failures = new Map<string, number>()
  for (const { kind, phase, failure } of attempts) {
    const text = `${phase} ${kind}: ${failure?.split('\n')[0]?.slice(0, 120)}`
    if (failure !== undefined) failures.set(text, (failures.get(text) ?? 0) + 1)
  }
  for (const [text, count] of failures) say(`  ${count} × ${text}`)
}

function judge(attempts: readonly Attempt[], probes: readonly Probe[]): string[] {
  const low = (Object.keys(SECONDS) as Phase[]).flatMap((phase) =>
    KINDS.flatMap((kind) => {
      const least = phase === 'away' ? FLOOR_PERCENT : 100
      const share = shareOf(attempts.filter(isOf(kind, phase)))
      return share < least ? [`${phase}: ${share} % of ${kind}, and ${least} % are wanted`] : []
    }),
  )
  const notReady = probes.filter(({ status }) => status !== 200).length
  const isSaid = probes.some(({ phase, degraded }) => phase === 'away' && degraded !== undefined)
  return [
    ...low,
    ...(notReady > 0 ? [`${notReady} probes were not ready`] : []),
    ...(isSaid ? [] : ['readiness did not say degraded while the worker was away']),
  ]
}

/** First whether it lives, then whether its code buys a second one, which also revokes it. */
async function listBrokenTokens(all: readonly Acknowledged[]): Promise<string[]> {
  const broken: string[] = []
  for (const { practice, code, token } of all) {
    if (!(await isActive(practice, token))) broken.push('an acknowledged token is lost')
    const { status } = await exchange(practice, code)
    if (status !== 400) broken.push(`a spent code was answered with ${status}`)
  }
  return broken
}

/** Of one code exactly one exchange is answered with tokens, and no other with an outage. */
async function exchangeAtOnce(practice: Practice): Promise<string[]> {
  const code = await freshCode(practice)
  const answers = await Promise.all(
    Array.from({ length: ONE_CODE_EXCHANGES }, () => exchange(practice, code)),
  )
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  say(`${ONE_CODE_EXCHANGES} exchanges of one code: ${JSON.stringify(Object.fromEntries(counts))}`)
  const isRight = counts.get(200) === 1 && counts.get(400) === ONE_CODE_EXCHANGES - 1
  return isRight ? [] : ['one code was not answered with one 200 and 400 for the others']
}
