// Modules on the token endpoint: client authentication, headers, errors, grant types. RFC 6749 2.3,
// 3.2, 5.1, 5.2 and 6.
import { expectTokenError } from '../expectations.ts'
import {
  basicHeaders,
  exchange,
  obtainCode,
  obtainTokens,
  postAsClient,
  randomText,
  receiveTokens,
} from '../flow.ts'
import type { Answer } from '../http-client.ts'
import type { ConformanceModule } from '../module.ts'
import { describeAnswer, type ModuleContext } from '../module-context.ts'

const AUTHENTICATION = 'How the token endpoint authenticates clients.'
const HEADERS = 'The headers of the token endpoint, and the proxy in front of it.'

function checkNoStore(t: ModuleContext, answer: Answer, what: string): void {
  const control = answer.headers.get('cache-control') ?? 'none'
  t.check(/\bno-store\b/.test(control), `${what} has Cache-Control: no-store`, control)
}

async function authenticateWith(
  t: ModuleContext,
  method: 'client_secret_basic' | 'client_secret_post',
): Promise<void> {
  const methods = t.metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (!methods.includes(method)) t.skip(`The metadata does not list ${method}.`)
  const grant = await obtainCode(t)
  const answer = await exchange(t, grant, {}, { method })
  if (t.target.kind === 'peer' && answer.json?.error === 'invalid_client') {
    t.skip(`The given client is not registered for ${method}.`)
  }
  receiveTokens(t, grant, answer)
}

const CODE_FORM = { grant_type: 'authorization_code', code: randomText(32) }

export const TOKEN_ENDPOINT_MODULES: readonly ConformanceModule[] = [
  {
    id: 'oidcc-server-client-secret-basic',
    title: 'a client authenticates with HTTP Basic',
    source: 'RFC 6749, 2.3.1; OpenID Connect Core, 9',
    where: AUTHENTICATION,
    run: (t) => authenticateWith(t, 'client_secret_basic'),
  },
  {
    id: 'oidcc-server-client-secret-post',
    title: 'a client authenticates in the body',
    source: 'RFC 6749, 2.3.1; OpenID Connect Core, 9',
    where: AUTHENTICATION,
    run: (t) => authenticateWith(t, 'client_secret_post'),
  },
  {
    id: 'rfc6749-wrong-secret',
    title: 'a wrong secret gets 401 invalid_client',
    source: 'RFC 6749, 5.2',
    where: AUTHENTICATION,
    run: async (t) => {
      const client = { ...t.target.client, secret: randomText(32) }
      const url = t.metadata.token_endpoint
      const body = { ...CODE_FORM, redirect_uri: client.redirectUri }
      const basic = await postAsClient(t, url, body, client)
      expectTokenError(t, basic, ['invalid_client'], 'a wrong secret')
      t.equal(basic.status, 401, 'the status')
      const challenge = basic.headers.get('www-authenticate') ?? 'none'
      t.check(/^Basic\b/i.test(challenge), 'a challenge answers HTTP Basic', challenge)
      const posted = await postAsClient(t, url, body, client, 'client_secret_post')
      expectTokenError(t, posted, ['invalid_client'], 'a wrong secret in the body')
    },
  },
  {
    id: 'rfc6749-no-client',
    title: 'a token request without a client gets 401 invalid_client',
    source: 'RFC 6749, 5.2 and 3.2.1',
    where: AUTHENTICATION,
    run: async (t) => {
      const answer = await t.send(t.metadata.token_endpoint, { form: CODE_FORM })
      const errors = t.target.kind === 'peer' ? ['invalid_client', 'invalid_request'] : []
      expectTokenError(t, answer, ['invalid_client', ...errors], 'no client')
    },
  },
  {
    id: 'rfc6749-two-authentications',
    title: 'two methods of client authentication in one request are refused',
    source: 'RFC 6749, 2.3',
    where: AUTHENTICATION,
    run: async (t) => {
      const { id, secret } = t.target.client
      const answer = await t.send(t.metadata.token_endpoint, {
        form: { ...CODE_FORM, client_id: id, client_secret: secret },
        headers: basicHeaders(t.target.client),
      })
      expectTokenError(t, answer, ['invalid_request', 'invalid_client'], 'two methods')
    },
  },
  {
    id: 'rfc6749-unknown-grant-type',
    title: 'other grant types are unsupported_grant_type',
    source: 'RFC 6749, 5.2; RFC 9700, 2.4',
    where: 'The grant types of the service and of the client.',
    run: async (t) => {
      const listed = t.metadata.grant_types_supported ?? []
      const types = ['password', 'urn:conformance:unknown'].filter((type) => !listed.includes(type))
      for (const type of types) {
        const body = { grant_type: type, username: 'a', password: 'b' }
        const answer = await postAsClient(t, t.metadata.token_endpoint, body)
        expectTokenError(t, answer, ['unsupported_grant_type'], `grant_type ${type}`)
      }
    },
  },
  {
    id: 'oidcc-refresh-token',
    title: 'refresh tokens work as the metadata says: not at all when not listed',
    source: 'RFC 6749, 6; OpenID Connect Core, 12',
    where: 'grant_types_supported in the metadata, and the answer of the token endpoint.',
    run: async (t) => {
      const { answer } = await obtainTokens(t)
      const token = answer.json?.refresh_token
      if (t.metadata.grant_types_supported?.includes('refresh_token')) {
        if (token === undefined) t.skip('The flow yields no refresh token without offline_access.')
        return
      }
      t.check(token === undefined, 'the token answer has no refresh_token', 'it has one')
      const body = { grant_type: 'refresh_token', refresh_token: randomText(32) }
      const refused = await postAsClient(t, t.metadata.token_endpoint, body)
      expectTokenError(t, refused, ['unsupported_grant_type'], 'grant_type refresh_token')
      t.skip('There are no refresh tokens; it is proved that none is issued or taken.')
    },
  },
  {
    id: 'rfc6749-no-store',
    title: 'answers of the token endpoint are not stored',
    source: 'RFC 6749, 5.1',
    where: HEADERS,
    run: async (t) => {
      const grant = await obtainCode(t)
      const answer = await exchange(t, grant)
      checkNoStore(t, answer, 'a success')
      const pragma = answer.headers.get('pragma') ?? 'none'
      t.advise(pragma === 'no-cache', 'a success has Pragma: no-cache', pragma)
      checkNoStore(t, await exchange(t, { ...grant, code: randomText(32) }), 'an error')
    },
  },
  {
    id: 'rfc6749-token-answers-json',
    title: 'answers of the token endpoint are JSON',
    source: 'RFC 6749, 5.1 and 5.2',
    where: HEADERS,
    run: async (t) => {
      const grant = await obtainCode(t)
      for (const answer of [await exchange(t, grant), await exchange(t, { ...grant, code: 'x' })]) {
        const type = answer.headers.get('content-type') ?? 'none'
        const isJson = /^application\/json\b/.test(type) && answer.json !== undefined
        t.check(isJson, `the answer ${answer.status} is JSON`, type)
      }
    },
  },
  {
    id: 'rfc6749-token-post-only',
    title: 'the token endpoint takes POST only, and nothing from the URL',
    source: 'RFC 6749, 3.2 and 2.3.1',
    where: 'The methods of the token route.',
    run: async (t) => {
      const { code, client } = await obtainCode(t)
      const query = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirectUri,
      })
      const url = `${t.metadata.token_endpoint}?${query}`
      for (const method of ['GET', 'POST']) {
        const answer = await t.send(url, { method, headers: basicHeaders(client) })
        const isRefused = answer.status >= 400 && answer.status < 500
        t.check(isRefused, `${method} with a query is refused`, describeAnswer(answer))
      }
    },
  },
]
