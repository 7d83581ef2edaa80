// What the host, the apps and the app servers of a clinic's day ask of the service, request by request. Each
// answer is compared with the one that is correct. Spec §4.1, §4.2; contract §2, §3.
import { type Connection, requestText } from './connection.ts'
import {
  addressOf,
  buildAuthorizeQuery,
  buildExchange,
  expect,
  FORM_TYPE,
  JSON_TYPE,
  textAfter,
} from './operations.ts'
import { pkceOf } from './pkce.ts'
import { PASSWORD } from './practices.ts'
import type { Provider } from './target.ts'

type App = Provider['apps'][number]

/** A place at which providers work one after the other, each with a sign-in. */
export interface Seat {
  readonly number: number
  readonly person: Provider
  /** The token of the current sign-in; '' between two providers. */
  sessionToken: string
}

/** An app beside a chart, with its token. */
export interface AppToken {
  readonly launchId: string
  readonly app: App
  readonly token: string
  /** The answer of the token endpoint. */
  readonly answer: string
  /** The end by the clock of this process, from the moment before the exchange. */
  readonly expiresAt: number
}

const headersOf = ({ number, sessionToken }: Seat) => ({
  ...JSON_TYPE,
  authorization: `Bearer ${sessionToken}`,
  ...addressOf(number),
})

export async function signInAt(on: Connection, seat: Seat): Promise<void> {
  const body = JSON.stringify({ email: seat.person.email, password: PASSWORD })
  const headers = { ...JSON_TYPE, ...addressOf(seat.number) }
  const answer = expect(await on.ask(requestText('POST', '/auth/sign-in', headers, body)), 200)
  seat.sessionToken = textAfter(answer.body, '"token":"', '"')
}

/** Reports as the host does when the provider does something; nothing else keeps a sign-in from being idle. */
export async function reportActivityAt(on: Connection, seat: Seat, sessionId: string) {
  const path = `/api/sessions/${sessionId}/activity`
  expect(await on.ask(requestText('POST', path, headersOf(seat), '{}')), 200, 204)
}

/** Signs out. After it the service knows the session token no more. */
export async function signOutAt(on: Connection, seat: Seat): Promise<void> {
  const headers = headersOf(seat)
  expect(await on.ask(requestText('POST', '/auth/sign-out', headers, '{}')), 204)
  expect(await on.ask(requestText('GET', '/api/users/me', headers)), 401)
  seat.sessionToken = ''
}

/** One request opens a session with the launches of every app; each app then gets its token. */
export async function openPageAt(on: Connection, seat: Seat) {
  const { accountId, deviceId, apps } = seat.person
  const opening = JSON.stringify({ accountId, ehrType: 'meadow', deviceId, launch: ['ui'] })
  const request = requestText('POST', '/api/sessions', headersOf(seat), opening)
  const opened = JSON.parse(expect(await on.ask(request), 201).body)
  const tokens: AppToken[] = []
  for (const { id, launchId, app } of opened.launches) {
    const found = apps.find((one) => one.id === app.id)
    if (found) tokens.push(await launchApp(on, seat, found, { id, launchId }))
  }
  if (tokens.length !== apps.length) throw new Error(`not every app launched: ${opened}`)
  return { sessionId: String(opened.id), tokens }
}

/** The launch of before ends, and another one begins for the next chart. */
export async function launchAgain(
  on: Connection,
  seat: Seat,
  sessionId: string,
  { launchId: before, app }: AppToken,
): Promise<AppToken> {
  const headers = headersOf(seat)
  expect(await on.ask(requestText('DELETE', `/api/launches/${before}`, headers)), 204)
  const body = JSON.stringify({ appId: app.id, kind: 'ui' })
  const path = `/api/sessions/${sessionId}/launches`
  const answer = expect(await on.ask(requestText('POST', path, headers, body)), 201)
  return launchApp(on, seat, app, JSON.parse(answer.body))
}

async function launchApp(
  on: Connection,
  { number }: Seat,
  app: App,
  launch: { readonly id: string; readonly launchId: string },
): Promise<AppToken> {
  const { verifier, challenge } = pkceOf(number)
  const from = addressOf(number)
  const query = buildAuthorizeQuery(app, launch.launchId, challenge)
  const authorize = requestText('GET', `/app-auth/authorize?${query}`, from)
  const { head } = expect(await on.ask(authorize), 302)
  const exchange = buildExchange(app, textAfter(head, 'code=', '&'), verifier)
  const askedAt = performance.now()
  const request = requestText('POST', '/app-auth/token', { ...JSON_TYPE, ...from }, exchange)
  const { body } = expect(await on.ask(request), 200)
  const { access_token: token, expires_in: seconds } = JSON.parse(body)
  const expiresAt = askedAt + 1000 * seconds
  return { launchId: launch.id, app, token, answer: body, expiresAt }
}

export async function isActiveAt(on: Connection, { number }: Seat, { app, token }: AppToken) {
  const { body } = expect(await on.ask(askAbout('/app-auth/introspect', number, app, token)), 200)
  return JSON.parse(body).active === true
}

export async function revokeAt(on: Connection, { number }: Seat, { app, token }: AppToken) {
  expect(await on.ask(askAbout('/app-auth/revoke', number, app, token)), 200)
}

export async function closePageAt(on: Connection, seat: Seat, sessionId: string): Promise<void> {
  expect(await on.ask(requestText('DELETE', `/api/sessions/${sessionId}`, headersOf(seat))), 204)
}

export const buildEventsRequest = (seat: Seat, sessionId: string) =>
  requestText('GET', `/api/sessions/${sessionId}/events`, headersOf(seat))

const clientOf = ({ clientId, secret }: App) => ({ client_id: clientId, client_secret: secret })

function askAbout(path: string, number: number, app: App, token: string): string {
  const body = new URLSearchParams({ ...clientOf(app), token }).toString()
  return requestText('POST', path, { ...FORM_TYPE, ...addressOf(number) }, body)
}
