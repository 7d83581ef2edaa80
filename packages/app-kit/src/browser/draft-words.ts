// What a field says of its draft, to the person who types. One place for plain pages and for React; when
// a draft is saved is decided in draft.ts.
import type { DraftState } from './draft.ts'

export const DRAFT_WORDS: Readonly<Record<DraftState, string>> = {
  saved: 'Kept',
  unsaved: 'Not kept yet',
  failed: 'Not kept yet: the server did not answer. It is tried again.',
}
