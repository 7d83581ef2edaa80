// The app in its states: opening, open, ended, failed. The panel's word that the launch is over ends
// the app's own session too. Decides nothing about trust. Spec §5.6, §7.
import type { ProblemView } from '@chartside/example-app-shell/browser'
import { useEffect, useState } from 'react'
import { Notes } from './notes.tsx'
import { describe, Problem } from './problem.tsx'
import { goToAuthorize, openVisit, type Visit } from './visit.ts'
import { WhoIsHere } from './who-is-here.tsx'

type State =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly visit: Visit }
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly problem: ProblemView }

export function App({ isLaunch }: { readonly isLaunch: boolean }) {
  const [state, setState] = useState<State>({ is: 'opening' })

  useEffect(() => {
    let stopListening = () => {}
    let isGone = false
    const fail = (error: unknown) => setState({ is: 'failed', problem: describe(error) })
    const show = (visit: Visit) => {
      if (isGone) return
      setState({ is: 'open', visit })
      stopListening = visit.sdk.on('ended', () => {
        setState({ is: 'ended' })
        visit.session.end().catch(() => undefined)
      })
    }
    if (isLaunch) goToAuthorize().catch(fail)
    else openVisit().then(show).catch(fail)
    return () => {
      isGone = true
      stopListening()
    }
  }, [isLaunch])

  switch (state.is) {
    case 'opening':
      return (
        <div className="middle" aria-live="polite">
          <p className="quiet">
            <span className="spinner" aria-hidden="true" />
            Opening Visit Notes…
          </p>
        </div>
      )
    case 'open':
      return <OpenVisit visit={state.visit} />
    case 'ended':
      return (
        <div className="middle">
          <section className="ended" role="status">
            <h1>Visit Notes is closed</h1>
            <p>The launch has ended, so this session was ended too. Nothing was kept here.</p>
          </section>
        </div>
      )
    case 'failed':
      return <Problem problem={state.problem} />
  }
}

function OpenVisit({ visit: { session, sdk, me, notes } }: { readonly visit: Visit }) {
  return (
    <div className="app">
      <header>
        <h1>Visit Notes</h1>
        <p className="who">
          <strong id="provider">{me.name ?? me.userId}</strong>
          <span id="practice">{me.account.name}</span>
        </p>
      </header>
      <Notes session={session} saved={notes} />
      <WhoIsHere me={me} context={sdk.sessionContext} />
    </div>
  )
}
