// The notes themselves, kept in memory per practice. The practice comes from a verified ID token,
// so one practice can never read another's notes whatever a page sends. Spec §2.5, §5.4.
import type { LaunchIdentity } from '@chartside/app-kit/server'

export interface Note {
  readonly id: number
  readonly text: string
  readonly author: string
  /** RFC 3339. */
  readonly at: string
}

const KEPT_PER_ACCOUNT = 50

export class NoteBook {
  readonly #byAccount = new Map<string, Note[]>()
  #lastId = 0

  list({ account }: LaunchIdentity): readonly Note[] {
    return this.#byAccount.get(account.id) ?? []
  }

  /** Newest first. */
  add({ account, name, userId }: LaunchIdentity, text: string): Note {
    this.#lastId += 1
    const at = new Date().toISOString()
    const note: Note = { id: this.#lastId, text: text.slice(0, 4_000), author: name ?? userId, at }
    const others = this.#byAccount.get(account.id) ?? []
    this.#byAccount.set(account.id, [note, ...others].slice(0, KEPT_PER_ACCOUNT))
    return note
  }
}
