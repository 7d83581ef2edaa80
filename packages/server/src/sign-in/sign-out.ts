// Tells the event streams of EHR sessions that their person has been signed out. The sessions have
// ended already, in the write before; this only spreads the news.
import type { Service } from '../service.ts'

export async function notifySignedOut(
  { subscriptions }: Service,
  sessions: readonly string[],
): Promise<void> {
  const ended = { ended: 'signed_out' } as const
  await Promise.all(sessions.map((session) => subscriptions.notify(session, ended)))
}
