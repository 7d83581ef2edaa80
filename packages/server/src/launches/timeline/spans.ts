// The spans of a launch: which of four parties took how long, in causal order. The first span that did
// not happen is the failed one, and those after it did not happen either. Pure: the row, its
// failures and the time in; spans out. Contract §3.
import { type LaunchSpan, type LaunchSpanName, SPAN_PARTIES } from '@chartside/protocol/launch'
import { STEP_OF } from '@chartside/protocol/launch-steps'
import { decideResponsible, explainReason } from '../../kernel/reasons.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { LivenessCutoff } from '../../liveness/liveness.ts'
import { decideLaunchState, type Launch, type LaunchFailure } from '../launch.ts'

/** The moment at which each span ended; undefined while it has not. */
type Ends = Readonly<Record<LaunchSpanName, number | undefined>>

const BEFORE_CODE = ['open', 'load', 'authorize'] as const
/** An app whose SDK posts the code says hello before the exchange; others after it. */
const HELLO_LAST = [...BEFORE_CODE, 'prepare', 'exchange', 'hello', 'context'] as const
const HELLO_FIRST = [...BEFORE_CODE, 'hello', 'prepare', 'exchange', 'context'] as const

export function buildSpans(
  launch: Launch,
  failures: readonly LaunchFailure[],
  cutoff: LivenessCutoff,
): LaunchSpan[] {
  const ends = listEnds(launch, failures)
  const order = orderOf(ends)
  const reached = order.findLastIndex((name) => ends[name] !== undefined)
  const { spans, endedAt } = buildReached(order.slice(0, reached + 1), ends, launch)
  const failure = findFailure(failures, order.slice(reached + 1), ends, endedAt)
  const [frontier, ...rest] = order.slice(reached + 1)
  if (frontier === undefined || (failure && isOver(failure, ends))) {
    return [...spans, ...(failure ? [buildFailed(spanOf(failure), failure, endedAt)] : [])]
  }
  const state = decideLaunchState(launch, cutoff)
  const isEnded = state === 'ended' || state === 'expired'
  if (failure) {
    return [...spans, buildFailed(frontier, failure, endedAt), ...rest.map(didNotHappen)]
  }
  if (state === 'expired') {
    return [
      ...spans,
      { ...bare(frontier, 'failed'), startedAt: rfc3339(endedAt) },
      ...rest.map(didNotHappen),
    ]
  }
  if (isEnded) return [...spans, ...[frontier, ...rest].map(didNotHappen)]
  const running = { ...bare(frontier, 'running'), startedAt: rfc3339(endedAt) }
  return [...spans, running, ...rest.map((name) => bare(name, 'waiting'))]
}

/** The columns of a launch that its spans are made of. */
export type LaunchTimes = Pick<
  Launch,
  | 'createdAt'
  | 'openedAt'
  | 'authorizedAt'
  | 'authorizeReceivedAt'
  | 'authorizeAnsweredAt'
  | 'exchangeReceivedAt'
  | 'exchangeAnsweredAt'
  | 'codeSpentAt'
  | 'tokenExpiresAt'
  | 'handshakeAt'
  | 'contextAt'
>

/** Measures how long each span took of a launch that became ready, as {@link buildSpans} shows it. */
export function measureSpans(launch: LaunchTimes): [LaunchSpanName, number][] {
  const ends = listEnds(launch, [])
  const { spans } = buildReached(orderOf(ends), ends, launch)
  return spans.flatMap(({ span, durationMs }) =>
    durationMs === undefined ? [] : [[span, durationMs]],
  )
}

function orderOf(ends: Ends): readonly LaunchSpanName[] {
  const isHelloFirst =
    ends.hello !== undefined && (ends.prepare === undefined || ends.hello <= ends.prepare)
  return isHelloFirst ? HELLO_FIRST : HELLO_LAST
}

/** A refused request arrived, so the span before it happened. */
function listEnds(launch: LaunchTimes, failures: readonly LaunchFailure[]): Ends {
  const refusedAt = (step: LaunchFailure['step']) =>
    failures.findLast((failure) => failure.step === step)?.receivedAt
  const load = launch.authorizeReceivedAt ?? launch.authorizedAt ?? refusedAt('authorize')
  const isExchanged = launch.tokenExpiresAt !== undefined
  return {
    // The host's report may arrive after the app's own request.
    open: launch.openedAt && load ? Math.min(launch.openedAt, load) : launch.openedAt,
    load,
    authorize: launch.authorizeAnsweredAt ?? launch.authorizedAt,
    prepare:
      launch.exchangeReceivedAt ?? (isExchanged ? launch.codeSpentAt : refusedAt('exchange')),
    exchange: isExchanged ? (launch.exchangeAnsweredAt ?? launch.codeSpentAt) : undefined,
    hello: launch.handshakeAt,
    context: launch.contextAt,
  }
}

function buildReached(
  order: readonly LaunchSpanName[],
  ends: Ends,
  launch: Pick<Launch, 'createdAt' | 'openedAt'>,
): { spans: LaunchSpan[]; endedAt: number } {
  let from = launch.createdAt
  const spans = order.map((name): LaunchSpan => {
    const end = ends[name]
    if (end === undefined) return { ...bare(name, 'ok'), note: 'not_recorded' }
    const isClamped =
      end < from || (name === 'open' && launch.openedAt !== undefined && end < launch.openedAt)
    const span = {
      ...bare(name, 'ok'),
      startedAt: rfc3339(from),
      durationMs: Math.max(end - from, 0),
      ...(isClamped ? { note: 'clamped' as const } : {}),
    }
    from = Math.max(end, from)
    return span
  })
  return { spans, endedAt: from }
}

const spanOf = ({ step }: LaunchFailure): LaunchSpanName => STEP_OF[step]

/** The step of the failure had succeeded before: a reload, or a code that was sent twice. */
const isOver = (failure: LaunchFailure, ends: Ends) => {
  const end = ends[spanOf(failure)]
  return end !== undefined && failure.failedAt >= end
}

/**
 * The failure that stopped the launch: of those after the last success the first of the service, whose
 * reason is precise; a report of the host may only say that nothing followed.
 */
function findFailure(
  failures: readonly LaunchFailure[],
  missing: readonly LaunchSpanName[],
  ends: Ends,
  endedAt: number,
): LaunchFailure | undefined {
  const open = failures.filter(
    (failure) =>
      missing.includes(spanOf(failure)) || (isOver(failure, ends) && failure.failedAt >= endedAt),
  )
  return open.find(({ reason }) => reason !== 'host_reported') ?? open.at(-1)
}

function buildFailed(name: LaunchSpanName, failure: LaunchFailure, from: number): LaunchSpan {
  const { code, reason, detail, fix, traceId, receivedAt, failedAt } = failure
  const explained = explainReason(reason)
  const startedAt = Math.max(receivedAt ?? from, from)
  return {
    ...bare(name, 'failed'),
    startedAt: rfc3339(startedAt),
    durationMs: Math.max(failedAt - startedAt, 0),
    code,
    reason,
    cause: detail ?? explained.cause,
    fix: fix ?? explained.fix,
    who: decideResponsible(reason, code),
    traceId,
  }
}

const bare = <Outcome extends LaunchSpan['outcome']>(span: LaunchSpanName, outcome: Outcome) => ({
  span,
  party: SPAN_PARTIES[span],
  outcome,
})

const didNotHappen = (name: LaunchSpanName): LaunchSpan => bare(name, 'did_not_happen')
