// The page in React: how its launch opens, and what the provider sees, `OpenApp`: your app goes there.
// The kit shows the app's other states: opening, ended, failed. Spec §5.6, §7.
import { openOnce } from '@chartside/app-kit/page'
import { DraftField, LaunchedApp, UserHeader } from '@chartside/app-kit/react'
import { initServiceSDK } from '@chartside/sdk'
import type { Me } from '../api.ts'
import { begin, open as openLaunch } from './launch.ts'

/** A code works once, and React runs effects twice in StrictMode: every caller gets the same launch. */
export const open = openOnce(async () => {
  const { session, sdk } = await openLaunch(initServiceSDK)
  return { session, sdk, me: await session.request<Me>('GET', '/api/me') }
})

type OpenedApp = Awaited<ReturnType<typeof open>>

/** `isLaunch`: the page of the Launch URL, which only redirects. */
export const App = ({ isLaunch }: { readonly isLaunch: boolean }) => (
  <LaunchedApp
    isLaunch={isLaunch}
    begin={begin}
    open={open}
    show={(launch) => <OpenApp {...launch} />}
  />
)

function OpenApp({ session, sdk, me }: OpenedApp) {
  return (
    <div className="app">
      <UserHeader {...me} />
      <DraftField session={session} sdk={sdk} name="note" label="Your note" />
      <p className="quiet">This page is OpenApp in src/browser/app.tsx.</p>
    </div>
  )
}
