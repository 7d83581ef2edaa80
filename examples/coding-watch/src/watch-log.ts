// The launches that this worker has seen since it started, newest first, for the status page. Kept
// in memory, bounded; holds verified names only, never a token or a launch_id in full.
import type { Presence } from './identity.ts'

export interface Sighting extends Presence {
  /** RFC 3339. */
  readonly at: string
}

const KEPT = 100

export class WatchLog {
  #sightings: readonly Sighting[] = []

  add(presence: Presence): void {
    const shown = { ...presence, launchId: shorten(presence.launchId) }
    this.#sightings = [{ ...shown, at: new Date().toISOString() }, ...this.#sightings].slice(
      0,
      KEPT,
    )
  }

  list(): readonly Sighting[] {
    return this.#sightings
  }
}

/** A launch_id is a bearer value; its beginning is enough to tell two launches apart. */
const shorten = (launchId: string): string => `${launchId.slice(0, 12)}…`
