// Builds the timeline of a launch: its steps in order, with times, and for a failed step the reason,
// its cause and its fix. Pure. The sandbox and the app's owner read it. Contract §3.
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
  const times: [LaunchStepName, number | undefined][] = [
    ['created', launch.createdAt],
    ['opened', launch.openedAt],
    ['authorize', launch.authorizedAt],
    ['code', launch.authorizedAt],
    ['exchange', isExchanged ? launch.codeSpentAt : undefined],
    ['handshake', launch.handshakeAt],
    ['context', launch.contextAt],
    ['ended', launch.endedAt ?? launch.tokenRevokedAt],
  ]
  const succeeded = times.flatMap(([step, at]) =>
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
  // Steps of the same millisecond keep the order of LAUNCH_STEPS; the end follows its cause.
  const isEnd = ({ step }: { step: LaunchStep }) => Number(step.step === 'ended')
  return [...succeeded, ...failed]
    .sort((a, b) => a.at - b.at || isEnd(a) - isEnd(b))
    .map(({ step }) => step)
}
