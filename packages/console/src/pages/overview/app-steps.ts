// What a vendor does with its first app, from the registration to the first launch, in the order of
// docs/build/going-live.md. A step is ticked by a record. Pure: records in, steps out.
import type { App, FaultRunSummary, LastPreflight, Launch } from '@chartside/protocol/payloads'
import type { Environment } from '../../installation.ts'

export interface Step {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly address: string
  /** The page of the documentation that says more. */
  readonly guide?: { readonly page: string; readonly text: string }
  /** It says what to do elsewhere, so it is read also when every step is done. */
  readonly isLasting?: true
  /** The text that the step needs elsewhere. */
  readonly copy?: { readonly label: string; readonly text: string }
}

export interface FirstApp {
  readonly app: App
  /** The number of its client secrets. */
  readonly secrets: number
  readonly preflight: LastPreflight['last']
  /** The newest one that was handed in. In staging only. */
  readonly faultRun?: Pick<FaultRunSummary, 'level'> | undefined
  /** The newest ones. */
  readonly launches: readonly Pick<Launch, 'spans'>[]
}

/** Builds the step of an account without an app: it may be a practice, which needs none. */
export const registerStep = (isDone: boolean, address: string): Step => ({
  title: 'Register an app',
  text: 'Where it opens and where it returns to, and a secret for its server. A practice that only uses the apps of others chooses what runs where.',
  guide: { page: 'build/going-live', text: 'Read all steps until practices use it' },
  isDone,
  address,
})

export function listFirstAppSteps(
  { app, secrets, preflight, faultRun, launches }: FirstApp,
  environment: Environment,
  address: string,
): readonly Step[] {
  const isReady = launches.some(({ spans }) => spans.at(-1)?.outcome === 'ok')
  const staging = {
    title: 'Have its launches allowed',
    text: 'The operator allows them here, on the page of the app. Until then this staging installation refuses them.',
    isDone: app.stagingAccess,
    address,
  }
  const steps = [
    {
      title: 'Set its server up',
      text: 'Make a client secret and copy “Settings for your server”, with the origins that may frame the app.',
      isDone: secrets > 0 || app.jwks !== undefined,
      address,
    },
    ...(environment === 'staging' ? [staging] : []),
    preflightStep(app, preflight, address),
    {
      title: environment === 'production' ? 'Go live' : 'Launch it',
      text:
        environment === 'production'
          ? 'An administrator publishes it in a collection; the first launch that is ready ticks this.'
          : 'Open it beside a chart; the first launch that is ready ticks this.',
      isDone: isReady,
      address,
    },
  ]
  if (environment !== 'staging') return steps
  const all = [...steps, faultRunStep(app, faultRun, address)]
  return all.every(({ isDone }) => isDone) ? [...all, publishStep(app, address)] : all
}

/** The grades that `--at-least B` of docs/build/going-live.md lets pass. */
const GOOD: readonly FaultRunSummary['level'][] = ['A', 'B']

function faultRunStep(
  { name }: Pick<App, 'name'>,
  last: FirstApp['faultRun'],
  address: string,
): Step {
  const isGood = last !== undefined && GOOD.includes(last.level)
  const rest = isGood ? '.' : ': mend what it names and hand in another.'
  const state = last
    ? `The last one has grade ${last.level}${rest}`
    : 'It plays about thirty faults against the app. Grade A or B is enough.'
  return {
    title: isGood ? 'Fault run passed' : 'Hand in a fault run',
    text: `${name}: ${state}`,
    isDone: isGood,
    address: `${address}#fault-runs`,
  }
}

/** Builds the step of an app that has done everything that staging is for. */
const publishStep = ({ name }: Pick<App, 'name'>, address: string): Step => ({
  title: 'Ready to publish',
  text: `${name}: register it at the production installation, with addresses and a secret of its own, and have it published there.`,
  guide: { page: 'build/going-live', text: 'Read how' },
  isDone: true,
  isLasting: true,
  address,
})

function preflightStep(
  { name }: Pick<App, 'name'>,
  last: FirstApp['preflight'],
  address: string,
): Step {
  const isPassed = last?.isCurrent === true && last.outcome !== 'failed'
  const state = isPassed
    ? 'The panel can open its pages.'
    : last === null
      ? '“Check the pages” says what would keep them out of the panel.'
      : last.isCurrent
        ? 'The last one found what keeps them out of the panel: mend it and check again.'
        : 'Addresses or host origins have changed since the last one: check again.'
  return {
    title: isPassed ? 'Pre-flight passed' : 'Pass the pre-flight',
    text: `${name}: ${state}`,
    isDone: isPassed,
    address: `${address}#pre-flight`,
  }
}
