// Breaks of the app's pages and of the SDK in them: they do not load, may not be framed, or hand the
// SDK something else than it needs. Spec §2.5, §4.5, §5.5.
import { type AppSetup, type Break, SILENT, SOON } from './break.ts'

const NOT_OPEN = 'could not open'

/** The frame shows nothing of the app; the service finds the cause on its page two seconds later. */
const found = (
  name: string,
  app: AppSetup,
  why: string,
  [code, words, step = 'Page load']: readonly [code: string, words: string, step?: string],
  seconds = SOON,
): Break => ({
  ...{ name, app, code, panel: NOT_OPEN, seconds },
  page: { silent: why },
  card: [`Failed at ${step}`, words],
})

const onLaunch = (answer: () => Response | Promise<Response>): AppSetup => ({
  answer: ({ pathname }) => (pathname === '/launch' ? answer() : undefined),
})

const html = (text: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'text/html', ...headers } })

/** Of the SDK, after the hello. */
const refused = (
  name: string,
  code: string,
  app: AppSetup,
  words: string,
  step = 'Context',
): Break => ({
  ...{ name, app, code, page: words, panel: NOT_OPEN, seconds: SOON },
  card: [`Failed at ${step}`, words],
})

const tokenAnswer = (answer: () => Response): AppSetup => ({
  registration: (origin) => ({ exchange: 'token_endpoint', tokenEndpoint: `${origin}/token` }),
  answer: ({ pathname }) => (pathname === '/token' ? answer() : undefined),
})

export const PAGE_BREAKS: readonly Break[] = [
  found(
    'Framing refused by X-Frame-Options',
    { headers: { 'x-frame-options': 'DENY' } },
    'the page of the browser: refused to connect',
    ['framing_forbidden', 'X-Frame-Options forbids the panel to show the page'],
  ),
  found(
    'Framing refused by frame-ancestors',
    { headers: { 'content-security-policy': "frame-ancestors 'self'" } },
    'the page of the browser: refused to connect',
    ['host_not_admitted', 'frame-ancestors leaves a host origin out'],
  ),
  found(
    'App page answers 500',
    onLaunch(() => html('Internal Server Error', {}, 500)),
    'Internal Server Error',
    ['page_fails', 'The page answers with a server error. Seen: status 500.'],
  ),
  found(
    'App does not run',
    { registration: () => ({ launchUrl: 'http://localhost:48/launch' }) },
    'the page of the browser: refused to connect',
    ['connection_refused', 'Nothing listens at this address.'],
  ),
  found(
    'App page never answers',
    onLaunch(() => new Promise(() => {})),
    'an empty page',
    ['timed_out', 'within 5 seconds'],
    2 * SOON,
  ),
  {
    ...found(
      'Sign-in page before the app',
      onLaunch(() => html('<h1>Log in to the deployment</h1>')),
      'another page than the app',
      ['HANDSHAKE_TIMEOUT', 'It never asked for authorization.'],
    ),
    seconds: SILENT,
  },
  found(
    'Sign-in page of another origin before the app',
    onLaunch(() => Response.redirect('http://localhost:48/sign-in')),
    'the page of the browser: refused to connect',
    ['redirect_refused', 'redirect'],
  ),
  found(
    'Callback page not found',
    {
      answer: ({ pathname }) => (pathname === '/callback' ? html('Not Found', {}, 404) : undefined),
    },
    'Not Found',
    ['page_not_found', 'status 404', 'Callback'],
  ),
  {
    name: 'Callback on an origin that is not listed',
    code: 'redirects_to_other_origin',
    app: {
      answer: ({ pathname, hostname, search }, { origin }) =>
        pathname === '/callback' && hostname.includes('.breaks.')
          ? Response.redirect(`${origin.replace('.breaks.', '.elsewhere.')}/callback${search}`)
          : undefined,
      mode: 'by-hand',
    },
    page: { silent: 'what the app shows; its SDK names the origin ten seconds after its hello' },
    card: ['Failed at Handshake', 'an origin that the app has not registered'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'Opened in a tab of its own',
    code: 'HANDSHAKE_TIMEOUT',
    app: {
      answer: ({ pathname }, app, { headers }) => {
        const isFrame = headers.get('sec-fetch-dest') === 'iframe'
        if (pathname !== '/launch' || !isFrame) return undefined
        app.launchIds.push('seen')
        return html('<p>Opens in a new tab</p>')
      },
    },
    play: async ({ page, app }) => {
      const frame = page.locator(`iframe[title="${app.name}"]`)
      const tab = await page.context().newPage()
      await tab.goto((await frame.getAttribute('src')) ?? '')
      await tab.getByRole('alert').waitFor()
      return tab
    },
    pageCode: 'HOST_NOT_FOUND',
    page: 'This page is not framed.',
    card: ['Failed at Handshake', 'It holds a token, but its frame did not call initServiceSDK.'],
    panel: NOT_OPEN,
    seconds: SILENT,
  },
  {
    name: 'SDK of another handshake version',
    code: 'PROTOCOL_MISMATCH',
    app: { hasOtherSdk: true },
    page: 'speaks version 9 of the handshake; this host speaks 1.',
    card: ['Failed at Handshake', 'speaks version 9 of the handshake; this host speaks 1.'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'Token of another launch',
    code: 'LAUNCH_MISMATCH',
    app: { mode: 'foreign-token' },
    prepare: async ({ app, bench }) => {
      app.foreignToken = bench.find('Nothing is wrong').tokens.at(-1)?.accessToken ?? ''
    },
    page: 'The access token belongs to another launch than this frame.',
    card: ['Failed at Context', 'The access token belongs to another launch than this frame.'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  refused(
    'Option 1 without a token',
    'TOKEN_FETCH_ERROR',
    { mode: 'without-token' },
    'No accessToken was passed to init and the app has no token endpoint registered.',
    'Callback',
  ),
  refused(
    'ID token passed as access token',
    'TOKEN_REJECTED',
    { mode: 'id-token-as-access-token' },
    'The service does not know this access token as live.',
  ),
  refused(
    'getIdToken in option 3',
    'ID_TOKEN_UNAVAILABLE',
    {
      mode: 'get-id-token',
      registration: () => ({ exchange: 'identity_provider' }),
    },
    'The SDK holds no ID token: accessToken was passed to init without idToken.',
  ),
  refused(
    'Token endpoint answers 500',
    'TOKEN_FETCH_ERROR',
    tokenAnswer(() => html('Internal Server Error', {}, 500)),
    'answered 500.',
    'Callback',
  ),
  refused(
    'Token endpoint answers HTML',
    'TOKEN_FETCH_ERROR',
    tokenAnswer(() => html('<!doctype html>')),
    'answered with an HTML page.',
    'Callback',
  ),
  refused(
    'Token endpoint answers in camelCase',
    'TOKEN_FETCH_ERROR',
    tokenAnswer(() => Response.json({ accessToken: 'x' })),
    'answered with accessToken in camelCase.',
    'Callback',
  ),
  refused(
    'Token endpoint does not run',
    'TOKEN_FETCH_ERROR',
    {
      registration: () => ({
        exchange: 'token_endpoint',
        tokenEndpoint: 'http://localhost:48/token',
      }),
    },
    'The token endpoint http://localhost:48/token could not be reached',
    'Callback',
  ),
  {
    name: 'Secret wrong in option 2',
    code: 'invalid_client',
    app: {
      registration: (origin) => ({ exchange: 'token_endpoint', tokenEndpoint: `${origin}/token` }),
      kit: () => ({ clientSecret: `cs_${'0'.repeat(22)}${'A'.repeat(43)}` }),
    },
    page: 'answered 401 and error "invalid_client"',
    card: ['Failed at Exchange', 'secret_wrong: The client secret is wrong, expired or retired.'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'Cookie SameSite=Lax',
    code: 'cookie_missing',
    app: { mode: 'needs-cookie' },
    page: 'The cookie of the session did not arrive',
    card: ['Failed at Context', 'The cookie of the session did not arrive'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
]
