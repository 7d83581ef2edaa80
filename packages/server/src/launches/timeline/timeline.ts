// Builds the timeline of a launch: its steps in order, with times, and for a failed step the reason,
// its cause and its fix. Pure. The sandbox and the app's owner read it. Contract §3.
import type { LaunchStep, LaunchStepName } from '@chartside/protocol/launch'
import type { App } from '../../apps/app.ts'
import type { StoredSecret } from '../../apps/client-secret.ts'
import type { PayloadOf } from '../../http/call.ts'
import { decideResponsible, explainReason } from '../../kernel/reasons.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { End, LivenessCutoff } from '../../liveness/liveness.ts'
import { explainLogoutOutcome } from '../../logout/logout.ts'
import { endBody } from '../../sessions/session-access.ts'
import { listRegistered } from '../evidence.ts'
import { type ExchangeClient, exchangeClientBody } from '../exchange-client.ts'
import {
  decideLaunchEnd,
  decideLaunchOutcome,
  decideLaunchState,
  type Launch,
  type LaunchFailure,
} from '../launch.ts'
import type { LAUNCH } from '../launch-schema.ts'
import { buildSpans } from './spans.ts'

/** Only some readers see these facts. */
export interface LaunchReader {
  /** The app, for its owner only: what it has registered is for no other reader. */
  readonly ownedApp: App | undefined
  /** The secrets that the launches name, for the owner of the app. */
  readonly secrets: ReadonlyMap<string, StoredSecret>
  /** The person, their practice and the platform see the name; a vendor does not. */
  readonly seesName: boolean
}

export function buildLaunchView(
  launch: Launch,
  appName: string,
  failures: readonly LaunchFailure[],
  cutoff: LivenessCutoff,
  reader: LaunchReader,
): PayloadOf<typeof LAUNCH> {
  const end = decideLaunchEnd(launch, cutoff)
  return {
    id: launch.id,
    app: { id: launch.appId, name: appName },
    kind: launch.kind,
    account: launch.context.account,
    userId: launch.context.sub,
    sessionId: launch.sessionId,
    ehrType: launch.context.ehr_type,
    deviceId: launch.context.device_id,
    state: decideLaunchState(launch, cutoff),
    outcome: decideLaunchOutcome(launch, cutoff),
    ...(reader.seesName ? { userName: launch.context.name } : {}),
    ...(launch.page === undefined ? {} : { page: launch.page }),
    createdAt: rfc3339(launch.createdAt),
    expiresAt: rfc3339(launch.expiresAt),
    ...(launch.tokenExpiresAt === undefined
      ? {}
      : { tokenExpiresAt: rfc3339(launch.tokenExpiresAt) }),
    ...(end === undefined ? {} : { ended: endBody(end) }),
    failureCount: launch.failureCount,
    steps: buildSteps(launch, end, failures, reader),
    spans: buildSpans(launch, failures, cutoff),
  }
}

function buildSteps(
  launch: Launch,
  end: End | undefined,
  failures: readonly LaunchFailure[],
  reader: LaunchReader,
): LaunchStep[] {
  const isExchanged = launch.tokenExpiresAt !== undefined
  const times: [LaunchStepName, number | undefined][] = [
    ['created', launch.createdAt],
    ['opened', findOpenedAt(launch)],
    ['authorize', launch.authorizedAt],
    ['code', launch.authorizedAt],
    ['exchange', isExchanged ? launch.codeSpentAt : undefined],
    ['handshake', launch.handshakeAt],
    ['context', launch.contextAt],
  ]
  const succeeded = times.flatMap(([step, at]) => {
    if (at === undefined) return []
    const client = step === 'exchange' ? clientFor(reader, launch.exchangeClient) : {}
    return [{ at, step: { step, at: rfc3339(at), outcome: 'ok', ...client } as LaunchStep }]
  })
  if (end) {
    const step: LaunchStep = { step: 'ended', outcome: 'ok', ...endBody(end) }
    succeeded.push({ at: end.at, step })
  }
  for (const { at, handled, shownMs } of launch.chartChanges) {
    const shown = shownMs === undefined ? {} : { shownMs }
    const step: LaunchStep = {
      ...{ step: 'chart_changed', at: rfc3339(at), outcome: 'ok', handled },
      ...shown,
    }
    succeeded.push({ at, step })
  }
  if (launch.logoutNotice) {
    const { at, outcome } = launch.logoutNotice
    const step = { step: 'logout', at: rfc3339(at), outcome: 'ok' } as const
    succeeded.push({ at, step: { ...step, cause: explainLogoutOutcome(outcome) } })
  }
  const failed = failures.map((failure) => ({
    at: failure.failedAt,
    step: buildFailedStep(failure, reader),
  }))
  // Steps of the same millisecond keep the order of LAUNCH_STEPS; the end follows its cause.
  const after = ({ step }: { step: LaunchStep }) => ['ended', 'logout'].indexOf(step.step)
  return [...succeeded, ...failed]
    .sort((a, b) => a.at - b.at || after(a) - after(b))
    .map(({ step }) => step)
}

/** The host's report may arrive after the app's own request, which it precedes. */
const findOpenedAt = ({ openedAt, authorizedAt }: Launch): number | undefined =>
  openedAt && authorizedAt ? Math.min(openedAt, authorizedAt) : openedAt

const clientFor = ({ ownedApp, secrets }: LaunchReader, client: ExchangeClient | undefined) =>
  ownedApp && client ? { client: exchangeClientBody(client, secrets) } : {}

function buildFailedStep(failure: LaunchFailure, reader: LaunchReader): LaunchStep {
  const { ownedApp } = reader
  const { step, code, reason, detail, fix, sent, traceId } = failure
  const explained = explainReason(reason)
  const registered = ownedApp && sent ? listRegistered(ownedApp, reason, sent) : []
  return {
    step,
    at: rfc3339(failure.failedAt),
    outcome: 'failed',
    code,
    reason,
    cause: detail ?? explained.cause,
    fix: fix ?? explained.fix,
    who: decideResponsible(reason, code),
    traceId,
    ...(sent && sent.length > 0 ? { sent } : {}),
    ...(registered.length > 0 ? { registered } : {}),
    ...clientFor(reader, failure.client),
  }
}
