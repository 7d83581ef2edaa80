// Notifies the event streams of EHR sessions of what ended. The write before has ended it already;
// this only publishes the event. Resolves when each node that holds a stream can read it.
import type { EndReason } from '@chartside/protocol/launch'
import type { EndedLaunch } from '../liveness/liveness.ts'
import type { HasSubscriptions } from './session-subscriptions.ts'

export async function notifySessionsEnded(
  { subscriptions }: HasSubscriptions,
  sessions: readonly string[],
  ended: EndReason,
): Promise<void> {
  await Promise.all(sessions.map((session) => subscriptions.notify(session, { ended })))
}

export async function notifyLaunchesEnded(
  { subscriptions }: HasSubscriptions,
  launches: readonly EndedLaunch[],
): Promise<void> {
  await Promise.all(
    launches.map(({ id, sessionId }) => subscriptions.notify(sessionId, { launchId: id })),
  )
}
