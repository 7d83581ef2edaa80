// Notifies the event streams of EHR sessions of what ended. The write before has ended it already;
// this only publishes the event. Resolves when each node that holds a stream can read it.
import type { EndReason } from '@chartside/protocol/launch'
import type { Service } from '../service.ts'

export async function notifySessionsEnded(
  { subscriptions }: Pick<Service, 'subscriptions'>,
  sessions: readonly string[],
  ended: EndReason,
): Promise<void> {
  await Promise.all(sessions.map((session) => subscriptions.notify(session, { ended })))
}

export interface EndedLaunch {
  readonly id: string
  readonly sessionId: string
}

export async function notifyLaunchesEnded(
  { subscriptions }: Pick<Service, 'subscriptions'>,
  launches: readonly EndedLaunch[],
): Promise<void> {
  await Promise.all(
    launches.map(({ id, sessionId }) => subscriptions.notify(sessionId, { launchId: id })),
  )
}
