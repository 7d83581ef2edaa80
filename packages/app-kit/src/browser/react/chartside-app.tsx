// The app in its states: opening, open, ended, failed. A failure is on the page and, at once, in the
// host's timeline; the end of the launch ends the app's own session too. What the provider sees while
// it is open is the app's. Spec §5.6, §7.
import {
  createContext,
  createElement,
  type FunctionComponent,
  type ReactNode,
  StrictMode,
  useContext,
  useEffect,
  useState,
} from 'react'
import { createRoot } from 'react-dom/client'
import type { OpenedLaunch } from '../page/launches.ts'
import type { PageProblem } from '../page/problem.ts'
import { type EndingSDK, reportProblem } from '../page/run-page.ts'
import { ProblemBox } from './problem-box.tsx'

export interface ChartsideAppProps<Launch> {
  /** Runs on the Launch URL, `/launch`, which only goes to authorize. */
  readonly begin: () => Promise<void>
  /** Gives every caller the same launch, because a code works once: a function of `openOnce`. */
  readonly open: () => Promise<Launch>
  /** The content that the provider sees. It has the launch by `useLaunch`. */
  readonly children: ReactNode
  /** The text below the line that says that the app is closed. */
  readonly endedText?: string
}

type State<Launch> =
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly launch: Launch }
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly problem: PageProblem }

/** The context of any launch: the type is that of `open`. */
const LaunchContext = createContext<unknown>(undefined)

/**
 * Returns the launch that is open, in a component below `ChartsideApp`: session, SDK, and what else `open`
 * gives.
 * @throws Error in a component elsewhere
 * @example const { session, sdk } = useLaunch<OpenedLaunch<ServiceSDK>>()
 */
export function useLaunch<Launch extends OpenedLaunch<EndingSDK>>(): Launch {
  const launch = useContext(LaunchContext)
  if (launch === undefined) throw new Error('useLaunch works in a component below <ChartsideApp>.')
  return launch as Launch
}

const isLaunchUrl = (): boolean => location.pathname === '/launch'

const ENDED = 'The launch has ended, so this session was ended too.'

/**
 * Shows an app from its launch to its end; StrictMode may run its effects twice. Never throws: a
 * failure is shown, and reported to the host. Spec §5.6, §7.
 * @example <ChartsideApp begin={beginForExchange} open={open}><Notes /></ChartsideApp>
 */
export function ChartsideApp<Launch extends OpenedLaunch<EndingSDK>>(
  props: ChartsideAppProps<Launch>,
) {
  const { begin, open, children, endedText = ENDED } = props
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
    if (isLaunchUrl()) begin().catch(fail)
    else open().then(showOpen).catch(fail)
    return () => {
      isUnmounted = true
      stopListening()
    }
  }, [begin, open])

  switch (state.is) {
    case 'opening':
      return (
        <div className="middle" aria-live="polite">
          <p className="quiet">Opening {document.title}…</p>
        </div>
      )
    case 'open':
      return <LaunchContext value={state.launch}>{children}</LaunchContext>
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
export function renderApp(App: FunctionComponent, open: () => Promise<unknown>): void {
  // The app shows what comes of it.
  if (!isLaunchUrl()) open().catch(() => undefined)
  const root = document.getElementById('app')
  if (!root) return
  root.className = ''
  createRoot(root).render(createElement(StrictMode, null, createElement(App)))
}
