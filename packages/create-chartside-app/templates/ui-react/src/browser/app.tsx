// The page in React: what the provider sees, `OpenApp`: your app goes there. The kit shows the app's
// other states: opening, ended, failed. open.ts has how its launch opens.
import { beginForExchange } from '@chartside/app-kit/page'
import { ChartsideApp, DraftField, UserHeader, useLaunch } from '@chartside/app-kit/react'
import { type OpenedApp, open } from './open.ts'

export const App = () => (
  <ChartsideApp begin={beginForExchange} open={open}>
    <OpenApp />
  </ChartsideApp>
)

function OpenApp() {
  const { session, sdk, me } = useLaunch<OpenedApp>()
  return (
    <div className="app">
      <UserHeader {...me} />
      <DraftField session={session} sdk={sdk} name="note" label="Your note" />
      <p className="quiet">This page is OpenApp in src/browser/app.tsx.</p>
    </div>
  )
}
