// How the launch of this page opens: its session, the SDK, and what the page shows first. Apart from
// app.tsx, whose components a development server replaces while the page stays open.
import { openByExchange, openOnce } from '@chartside/app-kit/page'
import { initServiceSDK } from '@chartside/sdk'

/** The facts of the user that the page shows. */
export interface Me {
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

/** A code works once, and React runs effects twice in StrictMode: every caller gets the same launch. */
export const open = openOnce(async () => {
  const { session, sdk } = await openByExchange(initServiceSDK)
  return { session, sdk, me: await session.request<Me>('GET', '/api/me') }
})

export type OpenedApp = Awaited<ReturnType<typeof open>>
