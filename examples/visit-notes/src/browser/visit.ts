// The launch as React effects may use it: `openVisit` gives every caller the same visit, because a
// code works once. Keeps tokens in memory only (launch.ts). Spec §4.5, §5.1, §5.6.
import type { AppSession } from '@chartside/app-kit/browser'
import { initServiceSDK, type ServiceSDK } from '@chartside/sdk'
import type { Note } from '../notes.ts'
import { open } from './launch.ts'

/** Of the verified ID token. */
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
}

let visit: Promise<Visit> | undefined

export function openVisit(): Promise<Visit> {
  visit ??= loadVisit()
  return visit
}

async function loadVisit(): Promise<Visit> {
  const { session, sdk } = await open(initServiceSDK)
  const [me, { items }] = await Promise.all([
    session.request<Me>('GET', '/api/me'),
    session.request<{ items: Note[] }>('GET', '/api/notes'),
  ])
  return { session, sdk, me, notes: items }
}
