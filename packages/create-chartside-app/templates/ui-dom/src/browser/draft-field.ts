// A field for text that must not get lost: what is typed is kept on this app's server as a draft of
// this person in this practice, and shown again after the next launch. Owns its DOM; the app kit's
// createDraft owns when to save. Specification §8: a token ends, and the app is launched again.
import { type AppSession, createDraft, type DraftState } from '@chartside/app-kit/browser'
import type { ServiceSDK } from '@chartside/sdk'
import { el } from './views.ts'

export interface DraftFieldOptions {
  readonly session: AppSession
  readonly sdk: ServiceSDK
  /** One for each field: `a-z 0-9 -`. */
  readonly name: string
  readonly label: string
}

const WORDS: Readonly<Record<DraftState, string>> = {
  saved: 'Kept',
  unsaved: 'Not kept yet',
  failed: 'Not kept yet: the server did not answer. It is tried again.',
}

export async function buildDraftField(options: DraftFieldOptions): Promise<HTMLElement> {
  const { session, sdk, name, label } = options
  const state = el('small', { role: 'status' })
  const draft = createDraft({
    ...{ session, sdk, name },
    onState: (now) => {
      state.textContent = WORDS[now]
    },
  })
  const field = el('textarea', { id: `draft-${name}`, rows: '4', maxlength: '8000' })
  field.value = await draft.load()
  field.addEventListener('input', () => draft.write(field.value))
  return el('div', { class: 'draft' }, el('label', { for: field.id }, label), field, state)
}
