// The launch as React effects may use it: `openVisit` gives every caller the same visit, because a
// code works once. Keeps tokens in memory only (the app kit). Spec §4.5, §5.1, §5.6.
import { type AppSession, createDraft, type Draft } from '@chartside/app-kit/browser'
import { openByExchange, openOnce } from '@chartside/app-kit/page'
import { initServiceSDK, type ServiceSDK } from '@chartside/sdk'
import type { Note } from '../notes.ts'

/** The user by the verified ID token. */
export interface Me {
  readonly userId: string
  readonly name: string | null
  readonly account: { readonly id: string; readonly name: string }
  readonly ehrType: string
}

export interface Visit {
  readonly session: AppSession
  readonly sdk: ServiceSDK
  readonly me: Me
  readonly notes: readonly Note[]
  /** The draft of the note that the user has not saved; `text` is what an earlier launch left. */
  readonly draft: { readonly kept: Draft; readonly text: string }
}

export const openVisit = openOnce(async (): Promise<Visit> => {
  const { session, sdk } = await openByExchange(initServiceSDK)
  const kept = createDraft({ session, sdk, name: 'note' })
  const [me, { items }, text] = await Promise.all([
    session.request<Me>('GET', '/api/me'),
    session.request<{ items: Note[] }>('GET', '/api/notes'),
    kept.load(),
  ])
  return { session, sdk, me, notes: items, draft: { kept, text } }
})
