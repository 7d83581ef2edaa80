// Breaks of the authorize request: what the page sends is wrong, or its launch cannot be used. The
// page of the service stands in the frame where no redirect may be sent. Spec §4.1.
import { type AppSetup, type Break, SOON } from './break.ts'

const NOT_OPEN = 'could not open'

/** One change of the request that authorize answers with its own page. */
const shown = (
  name: string,
  authorize: NonNullable<AppSetup['authorize']>,
  reason: string,
  page: string,
  words = page,
): Break => ({
  ...{ name, app: { authorize }, code: 'invalid_request', page, panel: NOT_OPEN, seconds: SOON },
  card: ['Failed at Authorize', `${reason}: ${words}`],
})

/** One change that authorize answers with a redirect: the page of the app speaks. */
const redirected = (
  name: string,
  code: string,
  authorize: NonNullable<AppSetup['authorize']>,
  reason: string,
  page: string,
  words = page,
): Break => ({
  ...{ name, app: { authorize }, code, page, panel: NOT_OPEN, seconds: SOON },
  card: ['Failed at Authorize', `${reason}: ${words}`],
})

export const AUTHORIZE_BREAKS: readonly Break[] = [
  shown(
    'App id as client id',
    (query, app) => query.set('client_id', app.id),
    'client_id_is_app_id',
    'client_id holds the app’s id, not its client ID.',
  ),
  shown(
    'Client id unknown',
    (query) => query.set('client_id', `cli_${'0'.repeat(32)}`),
    'client_unknown',
    'No app has this client_id on this server.',
  ),
  shown(
    'Client id missing',
    (query) => query.delete('client_id'),
    'parameters_missing',
    'The authorize request lacks the parameter client_id.',
  ),
  shown(
    'Redirect URI wrong by a slash',
    (query) => query.set('redirect_uri', `${query.get('redirect_uri')}/`),
    'redirect_uri_unregistered',
    'redirect_uri differs from a registered one in its final slash.',
  ),
  shown(
    'Redirect URI missing',
    (query) => query.delete('redirect_uri'),
    'parameters_missing',
    'The authorize request lacks the parameter redirect_uri.',
  ),
  shown(
    'Redirect URI sent twice',
    (query) => query.append('redirect_uri', `${query.get('redirect_uri')}`),
    'request_malformed',
    'The parameter redirect_uri was sent more than once.',
  ),
  redirected(
    'launch_id instead of launch',
    'invalid_request',
    (query) => {
      query.set('launch_id', `${query.get('launch')}`)
      query.delete('launch')
    },
    'launch_in_launch_id',
    'The launch came as launch_id; authorize takes it as launch.',
  ),
  redirected(
    'Launch missing',
    'invalid_request',
    (query) => query.delete('launch'),
    'launch_missing',
    'The authorize request has no launch parameter.',
  ),
  redirected(
    'Scope without launch',
    'invalid_scope',
    (query) => query.set('scope', 'openid'),
    'request_malformed',
    'missing: launch.',
    'scope must contain "launch openid"; missing: launch.',
  ),
  redirected(
    'Response type token',
    'unsupported_response_type',
    (query) => query.set('response_type', 'token'),
    'request_malformed',
    'response_type must be code.',
  ),
  redirected(
    'Prompt login',
    'login_required',
    (query) => query.set('prompt', 'login'),
    'prompt_not_possible',
    'prompt asks the provider to sign in',
  ),
  redirected(
    'max_age of zero',
    'login_required',
    (query) => query.set('max_age', '0'),
    'sign_in_too_old',
    'The provider signed in longer ago than max_age allows.',
  ),
  {
    name: 'PKCE required, no challenge',
    code: 'invalid_request',
    app: { authorize: () => {}, registration: () => ({ requirePkce: true }) },
    page: 'The app is set to require PKCE and the request has no code_challenge.',
    card: ['Failed at Authorize', 'pkce_required: The app is set to require PKCE'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'State missing at authorize',
    code: 'invalid_request',
    app: { authorize: (query) => query.delete('state') },
    page: 'the callback has no state, because authorize refused the request (invalid_request).',
    card: [
      'Failed at Authorize',
      'parameters_missing: The authorize request lacks the parameter state.',
    ],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'Launch of another app',
    code: 'access_denied',
    app: {
      authorize: (query, _app, bench) =>
        query.set('launch', bench.find('Nothing is wrong').launchIds[0] ?? ''),
    },
    page: 'The launch belongs to another app than the client_id names.',
    card: ['Failed at Page load', 'The launch belongs to another app than the client_id names.'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  redirected(
    'Launch unknown',
    'invalid_request',
    (query) => query.set('launch', `lnch_${'0'.repeat(22)}_${'A'.repeat(43)}`),
    'launch_unknown',
    'No launch with this launch_id exists on this server.',
  ),
  redirected(
    'Launch five minutes old',
    'access_denied',
    (query, _app, bench) => bench.age(`${query.get('launch')}`, 'expires_at', 310_000),
    'launch_expired',
    'The launch was not authorized in time.',
  ),
  {
    name: 'Page reloaded after the exchange',
    code: 'access_denied',
    page: 'The launch has already yielded its tokens.',
    play: async ({ page, app, ready, begin }) => {
      await ready()
      begin()
      await page.evaluate((name) => {
        const frame = document.querySelector<HTMLIFrameElement>(`iframe[title="${name}"]`)
        frame?.contentWindow?.location.replace(frame.src)
      }, app.name)
    },
    card: ['Failed at Authorize', 'launch_used: The launch has already yielded its tokens.'],
    panel: NOT_OPEN,
    seconds: SOON,
  },
  {
    name: 'Page in a loop of launches',
    code: 'access_denied',
    app: {
      callback: (query) => query.delete('code'),
      answer: ({ pathname }, app) =>
        pathname === '/changed' && app.launchIds.length <= 21
          ? Response.redirect(`${app.origin}/launch?launch_id=${app.launchIds[0]}`)
          : undefined,
    },
    page: 'The launch has been authorized 20 times without an exchange.',
    card: [
      'Failed at Authorize',
      'launch_authorized_too_often: The launch has been authorized 20 times',
    ],
    panel: NOT_OPEN,
    seconds: 10,
  },
]
