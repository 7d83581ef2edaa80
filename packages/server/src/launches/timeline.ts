// Builds the story of a launch for people: its steps in order, with times, and for a failed step the
// reason and the fix. Pure. Read by the sandbox and by the app's owner. Contract §3.
import type { LaunchStep, LaunchStepName } from '@chartside/protocol/launch'
import type { PayloadOf } from '../http/route.ts'
import { explainReason } from '../kernel/reasons.ts'
import { rfc3339 } from '../kernel/time.ts'
import { decideLaunchState, type Launch } from './launch.ts'
import type { LAUNCH } from './launch-schema.ts'
import type { LaunchFailure } from './launch-store.ts'

export function buildLaunchView(
  launch: Launch,
  appName: string,
  failures: readonly LaunchFailure[],
  now: number,
): PayloadOf<typeof LAUNCH> {
  return {
    id: launch.id,
    app: { id: launch.appId, name: appName },
    kind: launch.kind,
    account: launch.context.account,
    userId: launch.context.sub,
    sessionId: launch.sessionId,
    state: decideLaunchState(launch, now),
    createdAt: rfc3339(launch.createdAt),
    expiresAt: rfc3339(launch.expiresAt),
    ...(launch.tokenExpiresAt === undefined
      ? {}
      : { tokenExpiresAt: rfc3339(launch.tokenExpiresAt) }),
    steps: buildSteps(launch, failures),
  }
}

function buildSteps(launch: Launch, failures: readonly LaunchFailure[]): LaunchStep[] {
  const isExchanged = launch.tokenExpiresAt !== undefined
  const moments: [LaunchStepName, number | undefined][] = [
    ['created', launch.createdAt],
    ['opened', launch.openedAt],
    ['authorize', launch.authorizedAt],
    ['code', launch.authorizedAt],
    ['exchange', isExchanged ? launch.codeSpentAt : undefined],
    ['handshake', launch.handshakeAt],
    ['context', launch.contextAt],
    ['ended', launch.endedAt ?? launch.tokenRevokedAt],
  ]
  const timed = moments.flatMap(([step, at]) =>
    at === undefined ? [] : [{ at, step: { step, at: rfc3339(at), outcome: 'ok' } as LaunchStep }],
  )
  const failed = failures.map((failure) => ({
    at: failure.failedAt,
    step: {
      step: failure.step,
      at: rfc3339(failure.failedAt),
      outcome: 'failed',
      code: failure.code,
      reason: failure.reason,
      cause: failure.detail ?? explainReason(failure.reason).cause,
      fix: explainReason(failure.reason).fix,
      traceId: failure.traceId,
    } as LaunchStep,
  }))
  // Steps of one millisecond stay in story order, and an end comes after what caused it.
  const isEnd = ({ step }: { step: LaunchStep }) => Number(step.step === 'ended')
  return [...timed, ...failed]
    .sort((a, b) => a.at - b.at || isEnd(a) - isEnd(b))
    .map(({ step }) => step)
}
