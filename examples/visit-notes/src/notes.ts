// The notes of each practice, in memory. The practice is the account of a verified ID token, so a
// page cannot read the notes of another practice. Spec §2.5, §5.4.
import type { LaunchIdentity } from '@chartside/app-kit/server'

export interface Note {
  readonly id: number
  readonly text: string
  readonly author: string
  /** The time in RFC 3339. */
  readonly at: string
}

const MAX_NOTES_PER_ACCOUNT = 50
const MAX_NOTE_LENGTH = 4_000

export class NoteBook {
  readonly #byAccount = new Map<string, readonly Note[]>()
  #lastId = 0

  /** Lists the notes, newest first. */
  list(accountId: string): readonly Note[] {
    return this.#byAccount.get(accountId) ?? []
  }

  add({ account, name, userId }: LaunchIdentity, text: string): Note {
    this.#lastId += 1
    const note: Note = {
      id: this.#lastId,
      text: text.slice(0, MAX_NOTE_LENGTH),
      author: name ?? userId,
      at: new Date().toISOString(),
    }
    const notes = [note, ...this.list(account.id)].slice(0, MAX_NOTES_PER_ACCOUNT)
    this.#byAccount.set(account.id, notes)
    return note
  }
}
