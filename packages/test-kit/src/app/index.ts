// The tests of an app: a launch from its code to a session, what must be refused, the pages. One call
// registers them with Node's runner; the app keeps the tests of its own API. Needs Node. For tests only.
import { testExchange } from './exchange-tests.ts'
import { fixtureOf, providerFixtureOf, type StartApp, type StartProviderApp } from './fixture.ts'
import { testPages } from './page-tests.ts'
import { testProviderLaunch } from './provider-launch-tests.ts'
import { testProvider } from './provider-tests.ts'
import { testRequests } from './request-tests.ts'
import { testTokenEndpoint } from './token-endpoint-tests.ts'

export {
  AppAnswerError,
  type AppBrowser,
  type AppCalls,
  type AppHandler,
  createAppBrowser,
} from './app-browser.ts'
export { createBrowser, type ErrorBody, json, type Send } from './browser-client.ts'
export {
  type AppFixture,
  fixtureOf,
  type OpenFixture,
  type ProviderFixture,
  type ProviderTestSettings,
  type StartApp,
  type StartProviderApp,
  type TestSettings,
} from './fixture.ts'
export { sampleIdentity } from './identity.ts'
export {
  type CreateApp,
  type LaunchAppOptions,
  type LaunchedApp,
  launchApp,
  launchProviderApp,
} from './launch-app.ts'

export interface AppTestOptions<Start> {
  /** Puts the app on a port. */
  readonly start: Start
  /** False for an app whose framework serves the pages, such as Next.js. Default true. */
  readonly hasPages?: boolean
}

/**
 * Registers the tests of an app of option 1: its server exchanges. Spec §5.1, §5.6; security V20. Never
 * throws; a test fails with an AssertionError.
 * @example testExchangeApp({ start: startApp })
 */
export function testExchangeApp({ start, hasPages = true }: AppTestOptions<StartApp>): void {
  const open = fixtureOf(start)
  testExchange(open)
  testRequests(open)
  if (hasPages) testPages(open)
}

/**
 * Registers the tests of an app of option 2: a registered token endpoint exchanges. Spec §5.2, §5.6;
 * security V20. Never throws; a test fails with an AssertionError.
 * @example testTokenEndpointApp({ start: startApp })
 */
export function testTokenEndpointApp({ start, hasPages = true }: AppTestOptions<StartApp>): void {
  const open = fixtureOf(start)
  testTokenEndpoint(open)
  testRequests(open)
  if (hasPages) testPages(open)
}

/**
 * Registers the tests of an app of option 3: an identity provider exchanges. Spec §5.3, §5.6; security
 * L03, V20, X09. Never throws; a test fails with an AssertionError.
 * @example testProviderApp({ start: { app, provider } })
 */
export function testProviderApp({
  start,
  hasPages = true,
}: AppTestOptions<StartProviderApp>): void {
  const open = providerFixtureOf(start)
  testProviderLaunch(open)
  testProvider(open)
  testRequests(open)
  if (hasPages) testPages(open)
}
