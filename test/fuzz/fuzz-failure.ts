// What a run of the fuzzer reports, and the seed of each of its parts. Shared by the routes and the
// messages, which have the types of a server and of a browser.
import { hash } from 'node:crypto'

export interface FuzzFailure {
  /** For `--only`. */
  readonly name: string
  readonly reason: string
  /** The shortest case that fails. */
  readonly shrunk: string
}

/** The cases of one part of a run; `only` names one route or property. */
export interface FuzzPart {
  readonly seed: number
  readonly cases: number
  readonly only?: string | undefined
  readonly onProgress?: ((name: string, done: number) => void) | undefined
}

/** Depends on the name alone, so that `--only` repeats what a run of all did. */
export const seedOf = (seed: number, name: string): number =>
  Buffer.from(hash('sha256', `${seed} ${name}`, 'hex'), 'hex').readInt32BE()
