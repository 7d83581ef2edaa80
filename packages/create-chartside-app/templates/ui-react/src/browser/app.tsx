// The page in React: what the provider sees, `OpenApp`: your app goes there. The kit shows the app's
// other states: opening, ended, failed. open.ts has how its launch opens.
import { beginForExchange } from '@chartside/app-kit/page'
import { DraftField, LaunchedApp, UserHeader } from '@chartside/app-kit/react'
import { type OpenedApp, open } from './open.ts'

/** `isLaunch`: the page of the Launch URL, which only redirects. */
export const App = ({ isLaunch }: { readonly isLaunch: boolean }) => (
  <LaunchedApp
    isLaunch={isLaunch}
    begin={beginForExchange}
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
