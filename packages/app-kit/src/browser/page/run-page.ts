// The script of an app's page, from the address to the app: on the Launch URL it begins the launch, on
// the callback it opens the SDK and the app's own session, then shows the app. A failure is on the page
// and, at once, in the host's timeline. Keeps no token. Spec §1.1, §2.1, §5.6.
import { thisPage } from '../page.ts'
import { report } from '../report-failure.ts'
import type { OpenedLaunch } from './launches.ts'
import { describeProblem, type PageProblem } from './problem.ts'
import { showEnded, showProblem } from './views.ts'

/** The part of the SDK that tells the end of the launch. */
export interface EndingSDK {
  on(name: 'ended', listener: () => void): () => void
}

export interface PageSteps<Launch> {
  /** Runs on the Launch URL, `/launch`. */
  readonly begin: () => Promise<void>
  /** Runs on the callback: `() => openByExchange(initServiceSDK)`. */
  readonly open: () => Promise<Launch>
  /** Shows the app to the provider; in a worker it does the work. */
  readonly show: (launch: Launch) => Promise<void>
}

/**
 * Runs the page of a UI app. When the launch ends, the page says so and the app's own session ends.
 * Never throws: a failure is shown, and reported to the host.
 * @example runPage({ begin: beginForExchange, open: () => openByExchange(initServiceSDK), show: showApp })
 */
export function runPage<Launch extends OpenedLaunch<EndingSDK>>(steps: PageSteps<Launch>): void {
  run(steps, showEnded).catch((error: unknown) => {
    showProblem(reportProblem(error))
  })
}

/**
 * Runs the hidden page of a Worker app. When the launch ends, the app's own session ends. Never throws:
 * a failure is in the console, and reported to the host.
 * @example runWorkerPage({ begin: beginForExchange, open: () => openByExchange(initWorkerServiceSDK), show: watch })
 */
export function runWorkerPage<Launch extends OpenedLaunch<EndingSDK>>(
  steps: PageSteps<Launch>,
): void {
  run(steps, () => {}).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    console.error(`${document.title} could not start:`, message)
    // An error with a code was reported where it was thrown.
    if (error instanceof Error && 'code' in error) return
    report(thisPage(), { code: 'worker_failed', message })
  })
}

async function run<Launch extends OpenedLaunch<EndingSDK>>(
  { begin, open, show }: PageSteps<Launch>,
  onEnded: () => void,
): Promise<void> {
  if (location.pathname === '/launch') return begin()
  const launch = await open()
  launch.sdk.on('ended', () => {
    onEnded()
    launch.session.end().catch(() => undefined)
  })
  await show(launch)
}

/**
 * Describes anything that was thrown, and reports it to the host at once. Never throws. Contract §5.
 * @example showProblem(reportProblem(error))
 */
export function reportProblem(thrown: unknown): PageProblem {
  const problem = describeProblem(thrown)
  const { error: code, cause: message, fix, trace_id: traceId } = problem
  report(thisPage(), { code, message, fix, traceId })
  return problem
}

/**
 * Runs the Launch URL's page, as its whole script. It only goes to authorize, or to the identity provider in
 * option 3, so it carries nothing of the app: a provider waits for it on every launch. When it cannot begin,
 * the app's own script says why. Never throws. Spec §2.1, §2.2.
 * @example runLaunchPage(beginForExchange)
 */
export function runLaunchPage(begin: () => Promise<void>): void {
  const { appScript } = JSON.parse(document.body.dataset.settings ?? '{}') as { appScript: string }
  begin().then(
    () => preload(appScript),
    () => {
      const script = document.createElement('script')
      script.src = appScript
      document.body.append(script)
    },
  )
}

/** The browser fetches what the next page needs while authorize answers. */
function preload(href: string): void {
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = 'script'
  link.href = href
  document.head.append(link)
}
