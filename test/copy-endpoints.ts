// The fake issuer of the test kit and the real service behind the same few verbs, for tests that compare
// what they answer. Owns no expectation.
import type { FakeIssuer } from '@chartside/test-kit'
import { type AppKeyPair, signAssertion } from '../packages/server/test/app-keys.ts'
import type { Story } from '../packages/server/test/story.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** One of the two, behind the same three verbs. */
export interface CopyEndpoint {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
  readonly issuer: string
  /** A client assertion that ends so many seconds from now. */
  assertion(key: AppKeyPair, seconds?: number, aud?: string): Promise<string>
  launch(): Promise<string>
  send(path: string, sent?: Sent): Promise<Reply>
}

/** `clock`: that of the side, in milliseconds. */
const assertionOf =
  (story: Story, clientId: string, issuer: string, clock: () => number) =>
  (key: AppKeyPair, seconds = 60, aud = issuer) => {
    const iat = Math.floor(clock() / 1000)
    return signAssertion(story, clientId, key, { claims: { aud, iat, exp: iat + seconds } })
  }

export function realSide(story: Story): CopyEndpoint {
  const { app, launch, request, service } = story
  const { issuerUrl } = service.service.config
  return {
    ...app,
    issuer: issuerUrl,
    assertion: assertionOf(story, app.clientId, issuerUrl, service.clock),
    launch: async () => (await launch()).launchId,
    async send(url, { method = 'GET', headers = {}, body } = {}) {
      const payload = body === undefined ? {} : { payload: body }
      const answer = await request({ method, url, headers, ...payload })
      return { status: answer.statusCode, headers: answer.headers, body: answer.body }
    },
  }
}

export function fakeSide(issuer: FakeIssuer, story: Story): CopyEndpoint {
  return {
    clientId: issuer.clientId,
    secret: issuer.clientSecret,
    redirectUri: story.app.redirectUri,
    issuer: issuer.issuer,
    assertion: assertionOf(story, issuer.clientId, issuer.issuer, Date.now),
    launch: async () => issuer.mintLaunch().launchId,
    async send(path, { method = 'GET', headers = {}, body } = {}) {
      const init = { method, headers, redirect: 'manual' as const }
      const answer = await fetch(
        issuer.baseUrl + path,
        body === undefined ? init : { ...init, body },
      )
      const named = Object.fromEntries(answer.headers)
      return { status: answer.status, headers: named, body: await answer.text() }
    },
  }
}
