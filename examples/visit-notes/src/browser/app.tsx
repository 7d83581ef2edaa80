// What the provider sees of an open visit: the user, the notes of the practice, the identity table. The
// kit shows the other states of the app. Decides nothing about trust. Spec §5.6.
import { beginForExchange } from '@chartside/app-kit/page'
import { ChartsideApp, UserHeader, useLaunch } from '@chartside/app-kit/react'
import { IdentityTable } from './identity-table.tsx'
import { Notes } from './notes.tsx'
import { openVisit, type Visit } from './visit.ts'

const ENDED =
  'The launch has ended, so this session was ended too. A note that you had begun is there again the next time.'

export const App = () => (
  <ChartsideApp begin={beginForExchange} open={openVisit} endedText={ENDED}>
    <OpenVisit />
  </ChartsideApp>
)

function OpenVisit() {
  const { session, sdk, me, notes, draft } = useLaunch<Visit>()
  return (
    <div className="app">
      <UserHeader name={me.name ?? me.userId} practice={me.account.name} />
      <Notes session={session} saved={notes} draft={draft} />
      <IdentityTable me={me} context={sdk.sessionContext} />
    </div>
  )
}
