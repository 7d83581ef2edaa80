// Modules of the Basic OP plan on parameters of the authorize request: those that change nothing,
// those that a service may refuse by name, and requests that are wrong. OpenID Connect Core 3.1.2.1,
// 5.5, 6; RFC 6749 3.1.
import { expectAuthorizeError, expectNoRedirect } from '../expectations.ts'
import { authorize, obtainCode, obtainTokens, receiveCode } from '../flow.ts'
import { decodeIdToken } from '../id-token.ts'
import type { ConformanceModule } from '../module.ts'
import type { ModuleContext } from '../module-context.ts'

const WHERE = 'How authorize reads its parameters.'

/** A parameter with which the flow must still succeed. */
const harmless = (
  id: string,
  parameters: Readonly<Record<string, string>>,
  source = 'OpenID Connect Core, 3.1.2.1',
): ConformanceModule => ({
  id: `oidcc-${id}`,
  title: `a request with ${Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ')} succeeds`,
  source,
  where: WHERE,
  run: async (t) => {
    await obtainTokens(t, parameters)
  },
})

/** An unsigned request object: a header without algorithm, the claims, no signature. */
const requestObject = (claims: object) =>
  [{ alg: 'none' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.')

async function refuseOrHonour(
  t: ModuleContext,
  name: 'request' | 'request_uri',
  value: (base: URLSearchParams) => string,
  error: string,
): Promise<void> {
  const supported = t.metadata[`${name}_parameter_supported`]
  const attempt = await authorize(
    t,
    {},
    {
      rewrite: (base) => new URLSearchParams([...base, [name, value(base)]]),
    },
  )
  if (supported === true && attempt.landing.kind === 'redirect') {
    if (attempt.landing.url.searchParams.has('code')) {
      receiveCode(t, attempt)
      return
    }
  }
  const also = ['invalid_request_object', 'invalid_request', 'invalid_request_uri']
  const errors = supported === true ? [error, ...also] : [error]
  expectAuthorizeError(t, attempt, errors, { orPage: supported === true })
}

export const REQUEST_PARAMETER_MODULES: readonly ConformanceModule[] = [
  harmless('display-page', { display: 'page' }),
  harmless('display-popup', { display: 'popup' }),
  harmless('ui-locales', { ui_locales: 'de fr' }),
  harmless('claims-locales', { claims_locales: 'de' }),
  harmless('login-hint', { login_hint: 'person@conformance.example' }),
  harmless('ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }, 'RFC 6749, 3.1'),
  {
    id: 'oidcc-ensure-request-with-acr-values-succeeds',
    title: 'a request with acr_values succeeds, with acr when it is listed',
    source: 'OpenID Connect Core, 3.1.2.1 and 5.5.1.1',
    where: 'acr_values_supported in the metadata, and the ID token.',
    run: async (t) => {
      const { idToken } = await obtainTokens(t, { acr_values: '1 2' })
      const { acr } = decodeIdToken(t, idToken).claims
      if (t.metadata.acr_values_supported === undefined && acr === undefined) {
        return t.note('The metadata lists no acr_values, so no acr is expected.')
      }
      t.advise(acr !== undefined, 'the ID token has acr', 'none')
    },
  },
  {
    id: 'oidcc-claims-essential',
    title: 'a request with essential claims succeeds, with the claim when supported',
    source: 'OpenID Connect Core, 5.5',
    where: 'claims_parameter_supported in the metadata, and userinfo.',
    run: async (t) => {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
      await obtainTokens(t, { claims })
      if (t.metadata.claims_parameter_supported !== true) {
        t.skip('claims_parameter_supported is not true; it is proved that the request succeeds.')
      }
    },
  },
  {
    id: 'oidcc-ensure-other-scope-order-succeeds',
    title: 'the order of scopes and parameters does not matter',
    source: 'RFC 6749, 3.3; alternate-happy-flow of the Basic OP plan',
    where: WHERE,
    run: async (t) => {
      const supported = t.metadata.scopes_supported ?? []
      const more = ['email', 'profile'].filter((scope) => supported.includes(scope))
      const scope = [...more, ...t.target.scopes.toReversed()].join(' ')
      const rewrite = (given: URLSearchParams) => new URLSearchParams([...given].reverse())
      const { answer } = await obtainTokens(t, { scope }, { rewrite })
      const granted = String(answer.json?.scope ?? scope)
        .split(' ')
        .sort()
      t.equal(granted.join(' '), scope.split(' ').sort().join(' '), 'the granted scope')
    },
  },
  {
    id: 'oidcc-response-type-missing',
    title: 'a request without response_type gets an error',
    source: 'RFC 6749, 3.1.1 and 4.1.2.1',
    where: WHERE,
    run: async (t) => {
      const attempt = await authorize(t, { response_type: undefined })
      const errors = ['invalid_request', 'unsupported_response_type']
      expectAuthorizeError(t, attempt, errors, { orPage: true })
    },
  },
  {
    id: 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    title: 'an unsigned request object is honoured or refused, never ignored',
    source: 'OpenID Connect Core, 6.1 and 3.1.2.6',
    where: WHERE,
    run: (t) =>
      refuseOrHonour(
        t,
        'request',
        (base) => requestObject(Object.fromEntries(base)),
        'request_not_supported',
      ),
  },
  {
    id: 'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    title: 'request_uri is honoured or refused, never ignored',
    source: 'OpenID Connect Core, 6.2 and 3.1.2.6',
    where: WHERE,
    run: (t) =>
      refuseOrHonour(
        t,
        'request_uri',
        () => 'https://first.conformance.example/request.jwt',
        'request_uri_not_supported',
      ),
  },
  {
    id: 'oidcc-ensure-request-object-with-redirect-uri',
    title: 'a request object with a foreign redirect_uri leads nowhere',
    source: 'OpenID Connect Core, 6.1',
    where: WHERE,
    run: async (t) => {
      const foreign = { redirect_uri: 'https://foreign.conformance.example/callback' }
      const attempt = await authorize(t, { request: requestObject(foreign) })
      if (attempt.landing.kind === 'page') {
        expectNoRedirect(t, attempt, 'the request object')
      } else {
        expectAuthorizeError(t, attempt, ['request_not_supported', 'invalid_request_object'])
      }
      if (t.metadata.request_parameter_supported !== true) {
        t.skip('Request objects are not supported; it is proved that this one is refused.')
      }
    },
  },
  {
    id: 'oidcc-ensure-post-request-succeeds',
    title: 'authorize takes a form POST',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: 'The methods of the authorize route.',
    run: async (t) => {
      await obtainCode(t, {}, { method: 'POST' })
    },
  },
  {
    id: 'rfc6749-parameters-sent-twice',
    title: 'a parameter that is sent twice is refused',
    source: 'RFC 6749, 3.1',
    where: WHERE,
    run: async (t) => {
      const rewrite = (given: URLSearchParams) => new URLSearchParams([...given, ['scope', 'x']])
      const attempt = await authorize(t, {}, { rewrite })
      expectAuthorizeError(t, attempt, ['invalid_request'], { orPage: true })
    },
  },
  {
    id: 'rfc6749-state-returned-exactly',
    title: 'state returns byte for byte',
    source: 'RFC 6749, 4.1.2',
    where: WHERE,
    run: async (t) => {
      for (const state of ['a:b', 'aB', 'a+b c&d=e%41', 'ü€😀', 's'.repeat(1500)]) {
        const { response } = await obtainCode(t, { state })
        t.equal(response.get('state'), state, 'state')
      }
    },
  },
  {
    id: 'rfc6749-state-in-error-redirect',
    title: 'an error redirect has the state of the request',
    source: 'RFC 6749, 4.1.2.1',
    where: 'The error redirects of authorize.',
    run: async (t) => {
      const attempt = await authorize(t, { scope: 'unknown' })
      if (attempt.landing.kind === 'page')
        return t.skip('The error came on a page, without a redirect.')
      const { searchParams } = attempt.landing.url
      if (!searchParams.has('error')) t.skip('The service refuses no scope.')
      t.equal(searchParams.get('state'), attempt.parameters.get('state'), 'state')
    },
  },
]
