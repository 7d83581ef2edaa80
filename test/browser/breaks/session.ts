// Breaks of a launch that was asked for or works already: the service is away, the session or the
// token ends, an administrator ends the access. Spec §8.
import type { Route } from 'playwright-core'
import { type Break, type BreakRun, SOON } from './break.ts'

const NOT_OPEN = 'could not open'

const endsChart = (item: Break): Break => ({ ...item, isAlone: true, endsChart: true })

/**
 * Works first; then something ends the launch, and every party says why.
 * Alone: the panel launches an app that has ended again when its tab is pressed.
 */
const ended = (
  name: string,
  reason: string,
  end: (run: BreakRun) => Promise<unknown>,
  developer: string,
  provider: string,
): Break => ({
  ...{ name, code: reason, page: `is closed: ${reason}`, panel: provider, seconds: SOON },
  isAlone: true,
  play: async (run) => {
    await run.ready()
    run.begin()
    await end(run)
  },
  card: [reason === 'app_disabled' ? 'Switched off' : 'Ended', developer],
})

/** The request of the host for a launch of this app only. */
const onLaunchRequest = (answer: (route: Route) => Promise<void>) => (run: BreakRun) =>
  run.page.route('**/api/sessions/*/launches', (route) =>
    route.request().postData()?.includes(run.app.id) ? answer(route) : route.fallback(),
  )

export const SESSION_BREAKS: readonly Break[] = [
  {
    name: 'Service away at the launch',
    code: 'service_unreachable',
    prepare: onLaunchRequest((route) => route.abort()),
    page: { silent: 'nothing: the frame is not opened' },
    card: null,
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'Service down at the launch',
    code: 'temporarily_unavailable',
    prepare: onLaunchRequest((route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'access-control-allow-origin': '*' },
        json: {
          code: 'temporarily_unavailable',
          title: 'Temporarily unavailable',
          detail: 'The service cannot reach its storage. Try again in a moment.',
        },
      }),
    ),
    page: { silent: 'nothing: the frame is not opened' },
    card: null,
    panel: NOT_OPEN,
    seconds: SOON,
  },
  endsChart({
    name: 'Offline',
    code: 'service_unreachable',
    prepare: ({ page }) => page.context().setOffline(true),
    page: { silent: 'nothing: the frame is not opened' },
    card: null,
    panel: NOT_OPEN,
    seconds: SOON,
  }),
  {
    name: 'App disabled before the launch',
    code: 'app_not_available',
    prepare: ({ app, bench }) => bench.api.call('PATCH', `/api/apps/${app.id}`, { enabled: false }),
    page: { silent: 'nothing: the frame is not opened' },
    card: null,
    panel: 'was switched off',
    seconds: SOON,
  },
  {
    name: 'Service away at the verification',
    code: 'TOKEN_REJECTED',
    prepare: ({ page, app }) =>
      page.route('**/app-auth/introspect', (route) => {
        const body = route.request().postData() ?? ''
        const isOfApp = app.tokens.some(({ accessToken }) => body.includes(accessToken))
        return isOfApp ? route.abort() : route.fallback()
      }),
    page: 'The access token could not be verified.',
    card: ['Failed at Context', 'The access token could not be verified.'],
    panel: NOT_OPEN,
    seconds: 10,
  },
  ended(
    'Kill switch',
    'app_disabled',
    ({ app, bench }) => bench.api.call('PATCH', `/api/apps/${app.id}`, { enabled: false }),
    'The app was disabled or deleted',
    'was switched off',
  ),
  ended(
    'App deleted',
    'app_disabled',
    ({ app, bench }) => bench.api.call('DELETE', `/api/apps/${app.id}`),
    'The app was disabled or deleted',
    'was switched off',
  ),
  ended(
    'Access token revoked',
    'revoked',
    ({ app, bench }) =>
      fetch(`${bench.service}/app-auth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({
          token: app.tokens[0]?.accessToken ?? '',
          client_id: app.clientId,
          client_secret: app.clientSecret,
        }),
      }),
    'The access was revoked',
    'is closed',
  ),
  {
    name: 'Access token expires',
    code: 'expired',
    app: { registration: () => ({ accessTokenLifetimeSeconds: 4 }) },
    play: async ({ ready, begin }) => {
      await ready()
      begin()
    },
    page: { silent: 'the app again, in its next launch' },
    card: ['Replaced', 'The token had expired; the app was launched again.'],
    panel: '',
    seconds: SOON,
  },
  endsChart({
    ...ended(
      'Sign-out',
      'signed_out',
      ({ page }) => page.locator('#sign-out').click(),
      'The provider signed out.',
      'Sign in to open the apps',
    ),
    page: { silent: 'nothing: the frame is removed' },
  }),
]
