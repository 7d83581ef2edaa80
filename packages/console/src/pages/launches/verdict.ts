// Why a launch is as it is: the verdict in a sentence, what the service saw, what to do and who can do it.
// Pure: the launch as the API shows it in, words out. Cause, fix and who can
// make it come with the launch; only what the service cannot know stands here: how to test a silent page.
import { STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { ExchangeClient, Launch, LaunchSpan, LaunchStep } from '@chartside/protocol/payloads'
import { formatDuration } from '@chartside/ui/times'

export type Responsible = 'developer' | 'app_admin' | 'operator' | 'provider' | 'nothing'

export interface VerdictEvidence {
  readonly name: string
  readonly value: string
  /** The value `null` is neither good nor bad. */
  readonly isGood: boolean | null
}

export interface Verdict {
  readonly tone: 'bad' | 'warn' | 'good'
  readonly title: string
  readonly cause: string
  readonly evidence: readonly VerdictEvidence[]
  readonly who: Responsible
  readonly steps: readonly string[]
  /** The reason of the failure, which finds others like it. */
  readonly reason: string | undefined
  /** The page of the app where the fix is made. */
  readonly place: 'secrets' | 'addresses' | undefined
}

const FAILED_AT: Readonly<Record<LaunchSpan['span'], string>> = {
  open: 'was not opened by its host',
  load: 'never asked for authorization',
  authorize: 'was refused authorization',
  prepare: 'never exchanged its code',
  exchange: 'could not exchange its code',
  hello: 'never said hello to its host',
  context: 'did not get its session context',
}

/** The checks that a developer makes when the page only fell silent, the likeliest first. */
const TESTS: Readonly<Partial<Record<LaunchSpan['span'], readonly string[]>>> = {
  open: ['Open the side panel or the sandbox page again: the host showed no frame.'],
  load: [
    'Open the Launch URL in a tab of its own: does the page answer, and within ten seconds?',
    'Read its headers: X-Frame-Options or frame-ancestors may keep the host from framing it.',
    'Read the console of the frame: a script that stops never reaches authorize.',
  ],
  prepare: [
    'Open the redirect URI in a tab: does the callback page answer?',
    'Read the log of the app’s server: did the page hand it the code?',
    'Compare the stored state with the one that came back: a mismatch stops the page.',
  ],
  hello: [
    'See that the callback page calls initServiceSDK on every load.',
    'Compare the origin of the page with the Launch URL, the redirect URIs and the allowed iframe URLs.',
    'See that no other frame stands between the page and its host.',
  ],
  context: [
    'See that the page passes the access token of this launch to initServiceSDK.',
    'Look for two launches that share one key in the storage of the app.',
  ],
}

const LAUNCH_AGAIN = 'Launch the app again.'

export function decideVerdict(launch: Launch): Verdict {
  const stopped = launch.spans.find(({ outcome }) => outcome === 'failed')
  if (launch.outcome === 'failed') return explainFailure(launch, stopped)
  const base = { evidence: listEvidence(launch, undefined), reason: undefined, place: undefined }
  const { name } = launch.app
  if (launch.outcome === 'opening') {
    const running = launch.spans.find(({ outcome }) => outcome === 'running')
    const step = running ? STEP_NAMES[running.span] : 'The next step'
    const title = `${name} is opening`
    return { ...base, tone: 'warn', title, cause: `Waits for: ${step}.`, who: 'nothing', steps: [] }
  }
  const took = timeToReady(launch)
  const ready =
    took === undefined ? 'It never became ready.' : `Ready after ${formatDuration(took)}.`
  if (launch.outcome === 'ready') {
    return {
      ...base,
      tone: 'good',
      title: `${name} is ready`,
      cause: ready,
      who: 'nothing',
      steps: [],
    }
  }
  const why = `${ready} ${END_WORDS[launch.ended?.reason ?? ''] ?? 'The launch has ended.'}`
  if (stopped?.reason !== undefined) {
    return { ...explainFailure(launch, stopped), title: `${name} has ended after a failed step` }
  }
  if (took === undefined && stopped && launch.ended?.reason === 'expired') {
    return {
      ...base,
      tone: 'warn',
      title: describeStop(name, stopped.span),
      cause: `${why} What to try, the likeliest first:`,
      who: 'developer',
      steps: TESTS[stopped.span] ?? [LAUNCH_AGAIN],
    }
  }
  return {
    ...base,
    tone: took === undefined ? 'warn' : 'good',
    title: `${name} has ended`,
    cause: why,
    who: 'nothing',
    steps: [],
  }
}

const END_WORDS: Readonly<Record<string, string>> = {
  signed_out: 'The provider has signed out.',
  idle: 'The provider was not active for too long.',
  expired: 'Its time was over.',
  revoked: 'Access was taken away.',
  app_disabled: 'The app was switched off.',
  account_closed: 'The account was closed.',
  chart_changed: 'The provider opened another chart, and the host opened the app for that one.',
  closed: 'Its host closed it.',
}

const describeStop = (app: string, span: LaunchSpan['span']) =>
  `${app} failed at ${STEP_NAMES[span]}: it ${FAILED_AT[span]}`

function explainFailure(launch: Launch, span: LaunchSpan | undefined): Verdict {
  const step = findFailedStep(launch, span)
  const reason = span?.reason ?? step?.reason
  const isSilent = reason === 'host_reported' && step?.code === 'HANDSHAKE_TIMEOUT'
  const who = span?.who ?? step?.who ?? 'developer'
  const title = span ? describeStop(launch.app.name, span.span) : `${launch.app.name} failed`
  const cause =
    span?.cause ||
    step?.cause ||
    (isSilent
      ? 'Nothing more came from the app, and nothing says why. What to try, the likeliest first:'
      : 'The service recorded no cause.')
  const tests = isSilent && span ? (TESTS[span.span] ?? []) : []
  const steps = tests.length > 0 ? tests : listSteps(span?.fix ?? step?.fix ?? '')
  const place = /^secret_/.test(reason ?? '')
    ? 'secrets'
    : reason === 'redirect_uri_unregistered'
      ? 'addresses'
      : undefined
  return {
    tone: isSilent ? 'warn' : 'bad',
    title,
    cause,
    evidence: listEvidence(launch, step),
    who,
    steps,
    reason,
    place,
  }
}

const findFailedStep = (
  { steps }: Launch,
  span: LaunchSpan | undefined,
): LaunchStep | undefined => {
  const failed = steps.filter(({ outcome }) => outcome === 'failed')
  return failed.find(({ traceId }) => traceId === span?.traceId) ?? failed.at(-1)
}

/** The sentences of a fix as steps; the last is to launch again, unless the fix says so. */
function listSteps(fix: string): string[] {
  const sentences = fix.split(/(?<=[.!?])\s+/).filter((text) => text !== '')
  return /launch(ed|es)?\b.*\bagain/i.test(fix) ? sentences : [...sentences, LAUNCH_AGAIN]
}

/** The evidence of the service: the steps that happened, what was sent, what is registered, who called. */
function listEvidence(launch: Launch, failed: LaunchStep | undefined): VerdictEvidence[] {
  const reached = launch.spans.flatMap(({ span, outcome, durationMs }): VerdictEvidence[] => {
    const name = STEP_NAMES[span]
    if (outcome === 'ok') return [{ name, value: formatDuration(durationMs ?? 0), isGood: true }]
    return outcome === 'failed' ? [{ name, value: 'stopped here', isGood: false }] : []
  })
  const isSent = failed?.step !== 'exchange'
  const sent = (isSent ? (failed?.sent ?? []) : []).map(({ name, value }) => ({
    ...{ name: `${name} that was sent`, value },
    isGood: failed?.registered ? failed.registered.some((one) => one.value === value) : false,
  }))
  const registered = (failed?.registered ?? []).map(({ name, value }) => ({
    ...{ name: `${name} that is registered`, value },
    isGood: null,
  }))
  const client = failed?.client ? describeClient(failed.client) : describeMissing(failed)
  // What proves the cause comes first.
  return [...sent, ...registered, ...client, ...reached]
}

/** The evidence of an exchange whose client sent no credentials that can be read, so that nothing says who it was. */
function describeMissing(failed: LaunchStep | undefined): VerdictEvidence[] {
  const name = 'Credentials of the client'
  if (failed?.reason === 'secret_wrong') return [{ name, value: 'none were sent', isGood: false }]
  return failed?.reason === 'assertion_malformed'
    ? [{ name, value: 'an assertion that cannot be read', isGood: false }]
    : []
}

type Secret = NonNullable<ExchangeClient['secret']>

const SECRET_WORDS: Readonly<Record<Secret['state'], string>> = {
  live: 'a live secret of this app',
  retired: 'a retired secret of this app',
  expired: 'an expired secret of this app',
  of_another_app: 'a secret of another app',
  altered: 'a secret of this app, changed or cut on its way',
  unknown: 'a secret that this installation never made',
  malformed: 'no client secret: another form or length',
}

function describeClient(client: ExchangeClient): VerdictEvidence[] {
  const { address, country, method, secret, keyId } = client
  const from = country === undefined ? address : `${address}, ${country}`
  return [
    ...(secret ? [describeSecret(secret)] : []),
    ...(keyId === undefined
      ? []
      : [{ name: 'Key that was named (kid)', value: keyId, isGood: null }]),
    { name: 'Caller', value: from, isGood: null },
    { name: 'Client authentication', value: method, isGood: true },
  ]
}

function describeSecret(secret: Secret): VerdictEvidence {
  const label = secret.label === undefined ? '' : ` “${secret.label}”`
  const at = secret.retiredAt ?? secret.expiresAt
  const isLive = secret.state === 'live'
  const since =
    !isLive && at !== undefined ? `, since ${at.slice(0, 16).replace('T', ' ')} UTC` : ''
  const value = SECRET_WORDS[secret.state] + label + since
  return { name: 'Secret that was sent', value, isGood: isLive }
}

/** A practice mends no app: it sends the report, which has the steps of the verdict, to who can. */
export function stepsForPractice({ who, steps }: Verdict, { app }: Launch): string[] | undefined {
  if (steps.length === 0 || who === 'provider' || who === 'nothing') return undefined
  const to = who === 'operator' ? 'the operator of the platform' : `the vendor of ${app.name}`
  return [
    `Nothing is to be changed in your practice. Copy the report and send it to ${to}: it says what to do there.`,
    'When they have done it, launch the app again.',
  ]
}

/** Milliseconds from the creation of the launch to ready. */
export function timeToReady({ steps }: Launch): number | undefined {
  const at = (name: LaunchStep['step']) =>
    steps.find(({ step, outcome }) => step === name && outcome === 'ok')?.at
  const [created, context] = [at('created'), at('context')]
  return created && context ? Math.max(Date.parse(context) - Date.parse(created), 0) : undefined
}
