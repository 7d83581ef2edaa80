// Modules on redirect URIs: registered ones work as registered, all others get an error page and
// never a redirect. RFC 6749 3.1.2.4 and 4.1.2.1, RFC 9700 2.1 and 4.1, Basic and Comprehensive plan.
import { expectNoRedirect, expectTokenError } from '../expectations.ts'
import { authorize, exchange, obtainCode } from '../flow.ts'
import type { ConformanceModule } from '../module.ts'
import type { ModuleContext } from '../module-context.ts'

const WHERE = 'How authorize compares redirect_uri with the registered redirect URIs.'

function registeredWithQuery(t: ModuleContext): string {
  const { redirectUriWithQuery } = t.target.client
  return redirectUriWithQuery ?? t.skip('The client has no redirect URI with a query.')
}

/** Addresses close to the registered one; each must be refused. */
export function variantsOf(redirectUri: string): readonly string[] {
  const { protocol, host, hostname, pathname, search } = new URL(redirectUri)
  const origin = `${protocol}//${host}`
  return [
    `${origin}${pathname}/${search}`,
    `${origin}${pathname}/deeper${search}`,
    `${origin}${pathname}/..;/other${search}`,
    `${origin}${pathname.toUpperCase()}${search}`,
    `${origin}/%63${pathname.slice(2)}${search}`,
    `${protocol}//${hostname}:9${pathname}`,
    `${protocol}//${host}.attacker.example${pathname}`,
    `${protocol}//attacker.example@${host}${pathname}`,
    `${protocol}//${host}@attacker.example${pathname}`,
    `${protocol}//attacker.example\\@${host}${pathname}`,
    `${protocol === 'https:' ? 'http:' : 'https:'}//${host}${pathname}`,
    `//${host}${pathname}`,
    `javascript:alert(1)//${redirectUri}`,
    `${redirectUri}\r\nx: y`,
  ]
}

export const REDIRECT_URI_MODULES: readonly ConformanceModule[] = [
  {
    id: 'oidcc-ensure-registered-redirect-uri',
    title: 'an unregistered redirect URI gets an error page and no redirect',
    source: 'RFC 6749, 3.1.2.4 and 4.1.2.1; RFC 9700, 4.11.2',
    where: WHERE,
    run: async (t) => {
      const foreign = { redirect_uri: 'https://foreign.conformance.example/callback' }
      expectNoRedirect(t, await authorize(t, foreign), 'a foreign redirect URI')
      const wrong = { ...foreign, response_type: 'nonsense' }
      expectNoRedirect(t, await authorize(t, wrong), 'a foreign redirect URI beside an error')
    },
  },
  {
    id: 'rfc6749-unknown-client',
    title: 'an unknown client gets an error page and no redirect',
    source: 'RFC 6749, 4.1.2.1',
    where: 'How authorize looks up the client.',
    run: async (t) => {
      const attempt = await authorize(t, { client_id: 'cli_00000000000000000000000000000000' })
      expectNoRedirect(t, attempt, 'an unknown client')
    },
  },
  {
    id: 'rfc9700-redirect-uri-exact',
    title: 'redirect URIs are compared as exact strings',
    source: 'RFC 9700, 2.1 and 4.1.3',
    where: WHERE,
    run: async (t) => {
      const agent = await t.agent()
      const preparation = await agent.prepare(t.target.client)
      for (const redirectUri of variantsOf(t.target.client.redirectUri)) {
        const attempt = await authorize(t, { redirect_uri: redirectUri }, { preparation })
        expectNoRedirect(t, attempt, `redirect_uri ${JSON.stringify(redirectUri)}`)
      }
    },
  },
  {
    id: 'oidcc-ensure-redirect-uri-in-authorization-request',
    title: 'a request without redirect_uri gets an error page',
    source: 'OpenID Connect Core, 3.1.2.1',
    where: WHERE,
    run: async (t) => {
      const attempt = await authorize(t, { redirect_uri: undefined })
      expectNoRedirect(t, attempt, 'no redirect_uri')
    },
  },
  {
    id: 'oidcc-redirect-uri-query-OK',
    title: 'a registered redirect URI keeps its query',
    source: 'RFC 6749, 3.1.2 and 4.1.2',
    where: 'How authorize appends its parameters.',
    run: async (t) => {
      const redirectUri = registeredWithQuery(t)
      const { response } = await obtainCode(t, { redirect_uri: redirectUri })
      for (const [name, value] of new URL(redirectUri).searchParams) {
        t.equal(response.get(name), value, name)
      }
    },
  },
  {
    id: 'oidcc-redirect-uri-query-added',
    title: 'a registered redirect URI with a query added is refused',
    source: 'RFC 6749, 3.1.2.3',
    where: WHERE,
    run: async (t) => {
      const redirectUri = `${t.target.client.redirectUri}?added=1`
      expectNoRedirect(t, await authorize(t, { redirect_uri: redirectUri }), 'an added query')
    },
  },
  {
    id: 'oidcc-redirect-uri-query-mismatch',
    title: 'a registered redirect URI with another query is refused',
    source: 'RFC 6749, 3.1.2.3',
    where: WHERE,
    run: async (t) => {
      const redirectUri = registeredWithQuery(t).replace(/\?.*/, '?tenant=another')
      expectNoRedirect(t, await authorize(t, { redirect_uri: redirectUri }), 'another query')
    },
  },
  {
    id: 'oidcc-redirect-uri-regfrag',
    title: 'a redirect URI with a fragment is refused',
    source: 'RFC 6749, 3.1.2',
    where: WHERE,
    run: async (t) => {
      const redirectUri = `${t.target.client.redirectUri}#fragment`
      expectNoRedirect(t, await authorize(t, { redirect_uri: redirectUri }), 'a fragment')
    },
  },
  {
    id: 'rfc6749-redirect-uri-at-token',
    title: 'another redirect_uri at the token endpoint is refused',
    source: 'RFC 6749, 4.1.3',
    where: 'What the token endpoint compares before it redeems a code.',
    run: async (t) => {
      const grant = await obtainCode(t)
      const answer = await exchange(t, grant, {
        redirect_uri: 'https://foreign.conformance.example/callback',
      })
      expectTokenError(t, answer, ['invalid_grant'], 'another redirect_uri')
    },
  },
]
