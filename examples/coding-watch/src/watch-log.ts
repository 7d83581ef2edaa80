// The launches that this worker has seen since it started, newest first, for the status page. Kept
// in memory, bounded; holds verified names only, never a token or a launch_id in full.
import type { LaunchIdentity } from '@chartside/app-kit/server'

export interface Sighting {
  /** RFC 3339. */
  readonly at: string
  readonly provider: string
  readonly practice: string
  readonly ehrType: string
  /** A launch_id is a bearer value; its beginning is enough to tell two launches apart. */
  readonly launch: string
}

const KEPT = 100

export class WatchLog {
  #sightings: readonly Sighting[] = []

  add({ name, userId, account, ehrType, launchId }: LaunchIdentity): void {
    const sighting: Sighting = {
      at: new Date().toISOString(),
      provider: name ?? userId,
      practice: account.name,
      ehrType,
      launch: `${launchId.slice(0, 12)}…`,
    }
    this.#sightings = [sighting, ...this.#sightings].slice(0, KEPT)
  }

  list(): readonly Sighting[] {
    return this.#sightings
  }
}
