// What a vendor does with its first app, from the registration to the first launch, in the order of
// docs/build/going-live.md. A step is ticked by a record. Pure: records in, steps out.
import type { App, LastPreflight, Launch } from '@chartside/protocol/payloads'
import type { Environment } from '../../installation.ts'

export interface Step {
  readonly title: string
  readonly text: string
  readonly isDone: boolean
  readonly address: string
  /** Where the documentation says more. */
  readonly guide?: { readonly page: string; readonly text: string }
  /** What the step needs elsewhere. */
  readonly copy?: { readonly label: string; readonly text: string }
}

export interface FirstApp {
  readonly app: App
  /** How many client secrets it has. */
  readonly secrets: number
  readonly preflight: LastPreflight['last']
  /** The newest ones. */
  readonly launches: readonly Pick<Launch, 'spans'>[]
}

/** Of an account without an app: it may be a practice, which needs none. */
export const registerStep = (isDone: boolean, address: string): Step => ({
  title: 'Register an app',
  text: 'Where it opens and where it returns to, and a secret for its server. A practice that only uses the apps of others chooses what runs where.',
  guide: { page: 'build/going-live', text: 'Read all steps until practices use it' },
  isDone,
  address,
})

export function listFirstAppSteps(
  { app, secrets, preflight, launches }: FirstApp,
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
  return [
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
}

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
