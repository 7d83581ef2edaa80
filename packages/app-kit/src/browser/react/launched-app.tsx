// The app in its states: opening, open, ended, failed. A failure is on the page and, at once, in the
// host's timeline; the end of the launch ends the app's own session too. What the provider sees while
// it is open is the app's. Spec §5.6, §7.
import {
  createElement,
  type FunctionComponent,
  type ReactNode,
  StrictMode,
  useEffect,
  useState,
} from 'react'
import { createRoot } from 'react-dom/client'
import type { OpenedLaunch } from '../page/launches.ts'
import type { PageProblem } from '../page/problem.ts'
import { type EndingSDK, reportProblem } from '../page/run-page.ts'
import { ProblemBox } from './problem-box.tsx'

export interface LaunchedAppProps<Launch> {
  /** On the Launch URL, which only goes to authorize. */
  readonly isLaunch: boolean
  readonly begin: () => Promise<void>
  /** Gives every caller the same launch, because a code works once: a function of `openOnce`. */
  readonly open: () => Promise<Launch>
  /** What the provider sees. */
  readonly show: (launch: Launch) => ReactNode
  /** Below the line that says that the app is closed. */
  readonly endedText?: string
}

type State<Launch> =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly launch: Launch }
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly problem: PageProblem }

const ENDED = 'The launch has ended, so this session was ended too.'

/**
 * Shows an app from its launch to its end; StrictMode may run its effects twice. Never throws: a
 * failure is shown, and reported to the host. Spec §5.6, §7.
 * @example <LaunchedApp isLaunch={false} begin={beginForExchange} open={open} show={(launch) => <Notes {...launch} />} />
 */
export function LaunchedApp<Launch extends OpenedLaunch<EndingSDK>>(
  props: LaunchedAppProps<Launch>,
) {
  const { isLaunch, begin, open, show, endedText = ENDED } = props
  const [state, setState] = useState<State<Launch>>({ is: 'opening' })

  useEffect(() => {
    let stopListening = () => {}
    let isUnmounted = false
    const fail = (error: unknown) => setState({ is: 'failed', problem: reportProblem(error) })
    const showOpen = (launch: Launch) => {
      if (isUnmounted) return
      setState({ is: 'open', launch })
      stopListening = launch.sdk.on('ended', () => {
        setState({ is: 'ended' })
        launch.session.end().catch(() => undefined)
      })
    }
    if (isLaunch) begin().catch(fail)
    else open().then(showOpen).catch(fail)
    return () => {
      isUnmounted = true
      stopListening()
    }
  }, [isLaunch, begin, open])

  switch (state.is) {
    case 'opening':
      return (
        <div className="middle" aria-live="polite">
          <p className="quiet">Opening {document.title}…</p>
        </div>
      )
    case 'open':
      return show(state.launch)
    case 'ended':
      return (
        <div className="middle">
          <h1>{document.title} is closed</h1>
          <p>{endedText}</p>
        </div>
      )
    case 'failed':
      return <ProblemBox problem={state.problem} />
  }
}

/**
 * Draws an app into the element `app` of its page, in StrictMode. The code of a callback is exchanged
 * while React draws. Never throws.
 * @example renderApp(App, open)
 */
export function renderApp(
  App: FunctionComponent<{ readonly isLaunch: boolean }>,
  open: () => Promise<unknown>,
): void {
  const isLaunch = location.pathname === '/launch'
  // The app shows what comes of it.
  if (!isLaunch) open().catch(() => undefined)
  const root = document.getElementById('app')
  if (!root) return
  root.className = ''
  createRoot(root).render(createElement(StrictMode, null, createElement(App, { isLaunch })))
}
