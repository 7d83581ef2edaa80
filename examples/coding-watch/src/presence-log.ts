// The launches since this worker started, newest first, for the status page. In memory, bounded;
// holds verified names only, never a token or a whole launch_id.
import type { LaunchIdentity } from '@chartside/app-kit/server'

export interface Presence {
  /** The time in RFC 3339. */
  readonly at: string
  readonly provider: string
  readonly practice: string
  readonly ehrType: string
  /** The beginning of the launch_id, which is a bearer value. */
  readonly launch: string
}

const MAX_PRESENCES = 100

export class PresenceLog {
  #presences: readonly Presence[] = []

  add({ name, userId, account, ehrType, launchId }: LaunchIdentity): void {
    const presence: Presence = {
      at: new Date().toISOString(),
      provider: name ?? userId,
      practice: account.name,
      ehrType,
      launch: `${launchId.slice(0, 12)}…`,
    }
    this.#presences = [presence, ...this.#presences].slice(0, MAX_PRESENCES)
  }

  list(): readonly Presence[] {
    return this.#presences
  }
}
