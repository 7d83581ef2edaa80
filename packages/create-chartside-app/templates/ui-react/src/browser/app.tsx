// The app in its states: opening, open, ended, failed. A failure is on the page and, at once, in the
// host's timeline; the end of the launch ends the app's own session too. What the provider sees is
// `OpenApp`: your app goes there. Spec §5.6, §7.
import { reportLaunchFailure } from '@chartside/sdk'
import { useEffect, useState } from 'react'
import { DraftField } from './draft-field.tsx'
import { begin } from './launch.ts'
import { type OpenedLaunch, openOnce } from './opened-launch.ts'
import { describe, type PageProblem } from './problem.ts'
import { ProblemBox } from './problem-box.tsx'

type State =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly launch: OpenedLaunch }
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly problem: PageProblem }

/** `isLaunch`: the page of the Launch URL, which only redirects. */
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
    const show = (launch: OpenedLaunch) => {
      if (isUnmounted) return
      setState({ is: 'open', launch })
      stopListening = launch.sdk.on('ended', () => {
        setState({ is: 'ended' })
        launch.session.end().catch(() => undefined)
      })
    }
    if (isLaunch) begin().catch(fail)
    else openOnce().then(show).catch(fail)
    return () => {
      isUnmounted = true
      stopListening()
    }
  }, [isLaunch])

  switch (state.is) {
    case 'opening':
      return (
        <div className="middle" aria-live="polite">
          <p className="quiet">Opening {document.title}…</p>
        </div>
      )
    case 'open':
      return <OpenApp {...state.launch} />
    case 'ended':
      return (
        <div className="middle">
          <h1>{document.title} is closed</h1>
          <p>The launch has ended, so this session was ended too.</p>
        </div>
      )
    case 'failed':
      return <ProblemBox problem={state.problem} />
  }
}

function OpenApp({ session, sdk, me }: OpenedLaunch) {
  return (
    <div className="app">
      <header>
        <h1>{document.title}</h1>
        <strong id="provider">{me.name}</strong>
        <span id="practice" className="quiet">
          {me.practice}
        </span>
      </header>
      <DraftField session={session} sdk={sdk} name="note" label="Your note" />
      <p className="quiet">This page is OpenApp in src/browser/app.tsx.</p>
    </div>
  )
}
