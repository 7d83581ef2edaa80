// The mistakes of a first hour with an app by hand: what a developer of one did wrong, measured before as a guess or
// an exact cause, and the break that plays it. first-hour.browser.ts plays them and counts the seconds;
// docs/build/mistakes.md shows the rows.
import { AUTHORIZE_BREAKS } from './authorize.ts'
import { type Break, SOON } from './break.ts'
import { byHand } from './by-hand.ts'
import { EXCHANGE_BREAKS } from './exchange.ts'
import { PAGE_BREAKS } from './page.ts'

export interface Mistake {
  readonly what: string
  /** Seconds and cause before the service looked for the cause of a silent launch. */
  readonly before: string
  /** Seconds that the test measured on a quiet machine. */
  readonly seconds: number
  readonly item: Break
}

const NOT_OPEN = 'could not open'
const SLOW = 'is slow'
/** Every mistake is named by then. */
export const MAX_SECONDS = 3

const GUESS = 'four guesses'
const OF_PAGE = { silent: 'nothing, or an error of the browser' } as const

const pickFrom = (table: readonly Break[], name: string): Break => {
  const item = table.find((one) => one.name === name)
  if (item) return item
  throw new Error(`No break is called ${name}.`)
}

const played = (
  name: string,
  app: Break['app'],
  code: string,
  card: readonly [state: string, words: string],
  more: Partial<Break> = {},
): Break => ({
  ...{ name, code, card, page: OF_PAGE, panel: NOT_OPEN, seconds: SOON },
  ...(app ? { app } : {}),
  ...more,
})

const onLaunch = (answer: () => Response | Promise<Response>): Break['app'] =>
  byHand({ answer: ({ pathname }) => (pathname === '/launch' ? answer() : undefined) })

const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html' } })

const later = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

const SIGN_IN = '<form><input name="user"><input name="password" type="password"></form>'
const SMART = '<script src="/fhir-client.js"></script><p>No server url found.</p>'

/** The page sends the exchange itself, in place of its server. */
const exchangeInPage = (init: string) =>
  byHand({
    callback: (script, { clientId, clientSecret }) =>
      script.replace(/fetch\('\/exchange', \{[\s\S]*?\n\}\)/, () => {
        const fields = `grant_type: 'authorization_code', code: query.get('code')`
        const client = `client_id: '${clientId}', client_secret: '${clientSecret}'`
        return `fetch(base + '/app-auth/token', ${init.replace('CLIENT', client).replace('FIELDS', fields)})`
      }),
  })

export const MISTAKES: readonly Mistake[] = [
  {
    what: 'redirect URI with another host',
    before: '1.2 s, exact',
    seconds: 0.3,
    item: played(
      'Redirect URI of another host',
      byHand({ launch: (script) => script.replaceAll('.breaks.localhost', '.other.localhost') }),
      'invalid_request',
      ['Failed at Authorize', 'redirect_uri differs from a registered one in its host'],
      { page: 'differs from a registered one in its host' },
    ),
  },
  {
    what: 'redirect URI with another path',
    before: '0.9 s, exact',
    seconds: 0.3,
    item: played(
      'Redirect URI of another path',
      byHand({ launch: (script) => script.replaceAll('/callback', '/back') }),
      'invalid_request',
      ['Failed at Authorize', 'redirect_uri differs from a registered one in its path'],
      { page: 'differs from a registered one in its path' },
    ),
  },
  {
    what: 'the effect runs twice (StrictMode), so the code is used twice',
    before: '1.1 s, exact',
    seconds: 0.4,
    item: pickFrom(EXCHANGE_BREAKS, 'Doubled effect, by hand'),
  },
  {
    what: '`state` forgotten',
    before: '0.3 s, exact',
    seconds: 0.3,
    item: pickFrom(AUTHORIZE_BREAKS, 'State missing at authorize'),
  },
  {
    what: '`launch` is the text `undefined`',
    before: '0.4 s, without the value',
    seconds: 0.5,
    item: played(
      'Launch is undefined',
      byHand({ launch: (script) => script.replace(/const launchId = .*/, 'let launchId') }),
      'page_failed',
      ['Failed at Page load', 'The parameter launch is the text undefined, which is no launch_id.'],
    ),
  },
  {
    what: 'client ID of another environment',
    before: '0.3 s, exact',
    seconds: 0.3,
    item: pickFrom(AUTHORIZE_BREAKS, 'Client id unknown'),
  },
  {
    what: 'client secret wrong',
    before: '0.6 s, exact',
    seconds: 0.4,
    item: pickFrom(EXCHANGE_BREAKS, 'Client secret wrong'),
  },
  {
    what: 'no token passed to the SDK',
    before: '0.8 s, exact',
    seconds: 0.4,
    item: pickFrom(PAGE_BREAKS, 'Option 1 without a token'),
  },
  {
    what: 'the page exchanges the code with a form',
    before: '1.0 s, exact',
    seconds: 0.7,
    item: played(
      'Page exchanges by a form',
      exchangeInPage("{ method: 'POST', body: new URLSearchParams({ FIELDS, CLIENT }) }"),
      'invalid_request',
      ['Failed at Exchange', 'exchange_from_page: A page in a browser sent the exchange'],
      { followedBy: 'Failed to fetch' },
    ),
  },
  {
    what: 'the page exchanges the code with an `Authorization` header, or as JSON',
    before: '10.4 s, wrong track',
    seconds: 0.4,
    item: played(
      'Page exchanges with a header',
      exchangeInPage(
        "{ method: 'POST', headers: { authorization: 'Basic eDp5' }, body: new URLSearchParams({ FIELDS }) }",
      ),
      'invalid_request',
      ['Failed at Exchange', 'tries to send the exchange itself: its browser asked by OPTIONS.'],
      { followedBy: 'Failed to fetch' },
    ),
  },
  {
    what: 'app not started',
    before: `10.2 s, ${GUESS}`,
    seconds: 2.4,
    item: pickFrom(PAGE_BREAKS, 'App does not run'),
  },
  {
    what: "`frame-ancestors 'self'`",
    before: `10.3 s, ${GUESS}`,
    seconds: 2.5,
    item: pickFrom(PAGE_BREAKS, 'Framing refused by frame-ancestors'),
  },
  {
    what: '`X-Frame-Options`',
    before: `10.3 s, ${GUESS}`,
    seconds: 2.2,
    item: pickFrom(PAGE_BREAKS, 'Framing refused by X-Frame-Options'),
  },
  {
    what: 'the Launch URL answers 500',
    before: `10.5 s, ${GUESS}`,
    seconds: 2.5,
    item: pickFrom(PAGE_BREAKS, 'App page answers 500'),
  },
  {
    what: "the Launch URL redirects to the app's own sign-in page",
    before: `11.0 s, ${GUESS}`,
    seconds: 2.5,
    item: played(
      'Own sign-in page',
      byHand({
        answer: ({ pathname }, { origin }) =>
          pathname === '/launch'
            ? Response.redirect(`${origin}/login`)
            : pathname === '/login'
              ? html(SIGN_IN)
              : undefined,
      }),
      'sign_in_page',
      ['Failed at Page load', 'The page asks for a password, and a launch cannot go on there.'],
    ),
  },
  {
    what: 'an ad blocker blocks the SDK script',
    before: '11.0 s, three guesses',
    seconds: 0.4,
    item: played(
      'SDK script blocked in the browser',
      byHand({}),
      'script_blocked',
      ['Failed at', '/sdk/v1/sdk.js did not load.'],
      {
        prepare: ({ page, app }) =>
          page.route('**/sdk/v1/sdk.js', (route) =>
            route.request().frame().url().includes(app.slug)
              ? route.abort('blockedbyclient')
              : route.fallback(),
          ),
      },
    ),
  },
  {
    what: "the policy of the page lacks the SDK's host",
    before: '10.4 s, three guesses',
    seconds: 0.5,
    item: played(
      'SDK script blocked by the policy',
      byHand({ headers: { 'content-security-policy': "script-src 'self'" } }),
      'policy_blocked',
      ['Failed at', '/sdk/v1/sdk.js by script-src-elem.'],
    ),
  },
  {
    what: 'an error in the page before init',
    before: '11.0 s, three guesses',
    seconds: 0.6,
    item: played(
      'Error before init, by hand',
      byHand({ callback: (script) => script.replace('const sdk =', 'drawChart()\nconst sdk =') }),
      'page_failed',
      ['Failed at Handshake', 'drawChart is not defined'],
    ),
  },
  {
    what: 'the clock of the server is one hour ahead',
    before: '11.2 s, wrong',
    seconds: 0.5,
    item: played('Server clock one hour ahead', byHand({ aheadMs: 3_600_000 }), 'page_failed', [
      'Failed at',
      'The clock of this server is 60 min ahead of the service.',
    ]),
  },
  {
    what: 'an unchanged SMART app',
    before: `10.6 s, ${GUESS}`,
    seconds: 2.5,
    item: played(
      'SMART app without SMART launch',
      onLaunch(() => html(SMART)),
      'smart_page',
      ['Failed at Page load', 'it waits for iss and launch, which its Launch URL does not get'],
    ),
  },
  {
    what: 'the exchange takes 12 s',
    before: `10.4 s, ${GUESS}`,
    seconds: 2.4,
    item: played(
      'Exchange of twelve seconds',
      byHand({
        answer: ({ pathname }) =>
          pathname === '/exchange' ? later(12).then(() => undefined) : undefined,
      }),
      'HANDSHAKE_TIMEOUT',
      ['Opening', 'Its page has received the code, and its server has not exchanged it.'],
      { panel: SLOW },
    ),
  },
  {
    what: 'the Launch URL answers after 15 s',
    before: `10.2 s, ${GUESS}`,
    seconds: 2.7,
    item: played(
      'Launch page of fifteen seconds',
      onLaunch(() => later(15).then(() => html('late'))),
      'timed_out',
      ['Opening', 'Its page has not answered the service either: the server of the app is slow.'],
      { panel: SLOW },
    ),
  },
]

interface Refused {
  readonly what: string
  readonly launchUrl: string
  /** Words at the field. */
  readonly cause: string
}

/** Refused at once, in the dialog “Add an app…”. */
export const REFUSED: readonly Refused[] = [
  {
    what: 'an address of the LAN over http',
    launchUrl: 'http://192.168.1.20:3000/launch',
    cause: 'must be https; http is only for loopback hosts',
  },
  {
    what: '`launch_id` in the Launch URL',
    launchUrl: 'http://localhost:3000/launch?launch_id=x',
    cause: 'has the parameter launch_id, which the service adds itself',
  },
]
