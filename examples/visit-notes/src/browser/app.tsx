// The app in its states: opening, open, ended, failed. The end of the launch ends the app's own
// session too. Decides nothing about trust. Spec §5.6, §7.
import { reportLaunchFailure } from '@chartside/sdk'
import { useEffect, useState } from 'react'
import { IdentityTable } from './identity-table.tsx'
import { begin } from './launch.ts'
import { Notes } from './notes.tsx'
import { describe, type PageProblem } from './problem.ts'
import { ProblemBox } from './problem-box.tsx'
import { openVisit, type Visit } from './visit.ts'

type State =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly visit: Visit }
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly problem: PageProblem }

export function App({ isLaunch }: { readonly isLaunch: boolean }) {
  const [state, setState] = useState<State>({ is: 'opening' })

  useEffect(() => {
    let stopListening = () => {}
    let isUnmounted = false
    const fail = (error: unknown) => {
      const problem = describe(error)
      setState({ is: 'failed', problem })
      const { error: code, cause: message, fix, trace_id: traceId } = problem
      reportLaunchFailure({ code, message, fix, traceId })
    }
    const show = (visit: Visit) => {
      if (isUnmounted) return
      setState({ is: 'open', visit })
      stopListening = visit.sdk.on('ended', () => {
        setState({ is: 'ended' })
        visit.session.end().catch(() => undefined)
      })
    }
    if (isLaunch) begin().catch(fail)
    else openVisit().then(show).catch(fail)
    return () => {
      isUnmounted = true
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
            <p>
              The launch has ended, so this session was ended too. A note that you had begun is
              there again the next time.
            </p>
          </section>
        </div>
      )
    case 'failed':
      return <ProblemBox problem={state.problem} />
  }
}

function OpenVisit({ visit: { session, sdk, me, notes, draft } }: { readonly visit: Visit }) {
  return (
    <div className="app">
      <header>
        <h1>Visit Notes</h1>
        <strong id="provider">{me.name ?? me.userId}</strong>
        <span id="practice" className="quiet">
          {me.account.name}
        </span>
      </header>
      <Notes session={session} saved={notes} draft={draft} />
      <IdentityTable me={me} context={sdk.sessionContext} />
    </div>
  )
}
