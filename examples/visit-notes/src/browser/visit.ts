// The story of one launch in the page: go to authorize; on the callback check the answer, let the
// app's server exchange the code, start the SDK, and ask who is there. Keeps every token in memory
// only. Spec §2.2, §4.5, §5.1, §5.6; security H02, H05.
import {
  type AppSession,
  beginLaunch,
  createSession,
  readCallback,
} from '@chartside/app-kit/browser'
import { readSettings } from '@chartside/example-app-shell/browser'
import { initServiceSDK, type ServiceSDK } from '@chartside/sdk'
import type { Note } from '../notes.ts'
import type { PageSettings } from '../pages.ts'

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

interface Tokens {
  readonly access_token: string
  readonly id_token: string
}

const settings = readSettings<PageSettings>()

export function goToAuthorize(): Promise<void> {
  return beginLaunch({ ...settings, scope: 'launch openid profile', pkce: true })
}

let visit: Promise<Visit> | undefined

/** The same visit however often an effect asks: a code works once. */
export function openVisit(): Promise<Visit> {
  visit ??= open()
  return visit
}

async function open(): Promise<Visit> {
  const { code, codeVerifier } = readCallback()
  const session = createSession()
  const tokens = await session.start<Tokens>({ code, code_verifier: codeVerifier })
  const sdk = await initServiceSDK({
    baseUrl: settings.baseUrl,
    accessToken: tokens.access_token,
    idToken: tokens.id_token,
  })
  const [me, { items }] = await Promise.all([
    session.request<Me>('GET', '/api/me'),
    session.request<{ items: Note[] }>('GET', '/api/notes'),
  ])
  return { session, sdk, me, notes: items }
}
