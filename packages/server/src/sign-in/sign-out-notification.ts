// Notifies the subscribers of EHR sessions that a sign-out ended. The write before has ended the
// sessions already; this only publishes the event.
import type { Service } from '../service.ts'

export async function notifySignedOut(
  { subscriptions }: Pick<Service, 'subscriptions'>,
  sessions: readonly string[],
): Promise<void> {
  const ended = { ended: 'signed_out' } as const
  await Promise.all(sessions.map((session) => subscriptions.notify(session, ended)))
}
