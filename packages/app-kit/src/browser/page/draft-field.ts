// A field for text that must not get lost: what is typed is kept on this app's server as a draft of
// this person at this chart, and shown again after the next launch. Owns its DOM; createDraft owns when to
// save, and whose text it is. Specification §8: a token ends, and the app is launched again.
import { createDraft, type DraftSDK } from '../draft.ts'
import { DRAFT_WORDS } from '../draft-words.ts'
import type { AppSession } from '../session.ts'
import { el } from './views.ts'

export interface DraftFieldOptions {
  readonly session: AppSession
  readonly sdk: DraftSDK
  /** One for each field: `a-z 0-9 -`. */
  readonly name: string
  readonly label: string
}

/**
 * Builds a labeled field with its draft loaded, which saves what is typed. The server needs `createDrafts`.
 * Spec §8.
 * @throws AppKitError of `session.request` when the draft cannot be loaded
 * @example show('app', await buildDraftField({ session, sdk, name: 'note', label: 'Your note' }))
 */
export async function buildDraftField(options: DraftFieldOptions): Promise<HTMLElement> {
  const { session, sdk, name, label } = options
  const state = el('small', { role: 'status' })
  const draft = createDraft({
    ...{ session, sdk, name },
    onState: (now) => {
      state.textContent = DRAFT_WORDS[now]
    },
  })
  const field = el('textarea', { id: `draft-${name}`, rows: '4', maxlength: '8000' })
  draft.onText((text) => {
    field.value = text
  })
  field.value = await draft.load()
  field.addEventListener('input', () => draft.write(field.value))
  return el('div', { class: 'draft' }, el('label', { for: field.id }, label), field, state)
}
