// A browser without script, as far as sign-in needs one: keeps the cookie, follows redirects, fills in
// and sends the form of a page. And the client that polls for its token. Owns no expectation beyond
// "the page has such a form".
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { buildSignInUrl } from '@chartside/protocol/sign-in'
import type { LightMyRequestResponse } from 'fastify'
import type { TestService } from './test-service.ts'

export interface Shown {
  readonly status: number
  readonly html: string
  readonly headers: LightMyRequestResponse['headers']
  readonly url: string
}

export interface TestBrowser {
  /** The cookie, which a test may also copy as an attacker would. */
  cookie: string | undefined
  open(url: string): Promise<Shown>
  /** Fills in the form with this action, sends it and follows redirects. */
  send(page: Shown, action: string, fields?: Record<string, string>): Promise<Shown>
  post(url: string, fields: Record<string, string>, headers?: object): Promise<Shown>
}

export function testBrowser({ server, service }: TestService): TestBrowser {
  const base = service.config.baseUrl
  const browser: TestBrowser = {
    cookie: undefined,
    open: (url) => request('GET', url),
    async send(page, action, fields = {}) {
      const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
      const form = forms.find((text) => text.includes(`action="${base}${action}"`))
      assert.ok(form, `no form ${action} in ${page.html}`)
      return browser.post(action, { ...hiddenFields(form), ...fields })
    },
    async post(url, fields, headers = { origin: 'null', 'sec-fetch-site': 'same-origin' }) {
      return request('POST', url, new URLSearchParams(fields).toString(), headers)
    },
  }
  async function request(
    method: 'GET' | 'POST',
    url: string,
    payload = '',
    headers: object = {},
  ): Promise<Shown> {
    const answer = await server.inject({
      method,
      url: url.replace(base, ''),
      headers: {
        accept: 'text/html',
        ...(browser.cookie ? { cookie: browser.cookie } : {}),
        ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      ...(method === 'POST' ? { payload } : {}),
    })
    const set = answer.headers['set-cookie']
    if (set) browser.cookie = mergeCookie(browser.cookie, String(set).split(';')[0] ?? '')
    const { location } = answer.headers
    if (answer.statusCode === 303 && String(location).startsWith(base)) {
      return request('GET', String(location))
    }
    const { statusCode: status, body: html } = answer
    return { status, html, headers: answer.headers, url }
  }
  return browser
}

/** A browser keeps one cookie of each name. */
const mergeCookie = (kept: string | undefined, set: string): string => {
  const name = set.slice(0, set.indexOf('=') + 1)
  const others = (kept ?? '').split('; ').filter((one) => one !== '' && !one.startsWith(name))
  return [...others, set].join('; ')
}

export const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name, value],
    ),
  )

export interface TestClient {
  readonly sessionId: string
  readonly verifier: string
  readonly challenge: string
  /** The URL that it opens in a tab. */
  readonly url: string
  poll(verifier?: string): Promise<LightMyRequestResponse>
}

/** A client without cookies, such as the extension. */
export function testClient({ server, service }: TestService, hostOrigin?: string): TestClient {
  const sessionId = randomBytes(16).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    sessionId,
    verifier,
    challenge,
    url: buildSignInUrl(`${service.config.baseUrl}/auth/sign-in`, sessionId, challenge, hostOrigin),
    poll: (sent = verifier) =>
      server.inject({
        url: `/auth/token/${sessionId}`,
        headers: { authorization: `Bearer ${sent}` },
      }),
  }
}

/** Signs in with a password, up to the consent page. */
export async function signInOnPage(
  browser: TestBrowser,
  url: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<Shown> {
  return browser.send(await browser.open(url), '/auth/sign-in/password', { ...credentials })
}
