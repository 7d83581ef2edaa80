// What the load generator does with a server: the operations, whichever server it is, and those of this
// project's service. Constant parts of a request are built once, and each answer is compared with the one
// that is correct. Reads answers as text, because parsing would cost too much. Spec §4.1, §4.2.
import { type Connection, type RawAnswer, requestText } from './connection.ts'
import { pkceOf } from './pkce.ts'
import type { LaunchingPerson, ServiceTarget } from './target.ts'

/** A code, and whose it is: the number of its person and app, or of its pair of client and person. */
export interface ReadyCode {
  readonly code: string
  readonly at: number
}

/** Each takes a number, so that calls one after the other concern different people and apps. */
export interface Operations {
  /** A person arrives at an app: up to the code. */
  code(connection: Connection, at: number): Promise<ReadyCode>
  /** Gives the answer of the token endpoint. */
  exchange(connection: Connection, ready: ReadyCode): Promise<string>
  /** One request opens a session with all its launches; then each is authorized. */
  arrive?(connection: Connection, at: number): Promise<readonly ReadyCode[]>
  introspect?(connection: Connection, at: number): Promise<void>
  keys(connection: Connection): Promise<string>
}

const LAUNCH_ID = 'THE_LAUNCH_ID'
const CODE = 'THE_CODE'
export const JSON_TYPE = { 'content-type': 'application/json' }
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** Returns the headers of app servers and browsers behind a proxy: addresses of one country, in many networks. */
export const addressOf = (at: number) => ({
  'x-forwarded-for': `8.8.${at % 200}.${1 + (at % 250)}`,
})

export async function buildServiceOperations(
  { people }: ServiceTarget,
  connection: Connection,
): Promise<Operations> {
  const requests = people.flatMap((person, index) => buildRequests(person, index))
  const requestsOf = (at: number) => {
    const found = requests[at % requests.length]
    if (!found) throw new Error('no person is signed in')
    return found
  }
  async function authorize(on: Connection, launchId: string, at: number): Promise<ReadyCode> {
    const redirect = expect(await on.ask(requestsOf(at).authorize.join(launchId)), 302)
    return { code: textAfter(redirect.head, 'code=', '&'), at }
  }
  async function code(on: Connection, at: number): Promise<ReadyCode> {
    const opened = expect(await on.ask(requestsOf(at).launch), 201)
    return authorize(on, textAfter(opened.body, '"launchId":"', '"'), at)
  }
  async function exchange(on: Connection, { code, at }: ReadyCode): Promise<string> {
    const { token } = requestsOf(at)
    return expect(await on.ask(token(code)), 200).body
  }
  const tokens: string[] = []
  for (let at = 0; at < requests.length; at += 1) {
    const answer = await exchange(connection, await code(connection, at))
    tokens.push(textAfter(answer, '"access_token":"', '"'))
  }
  const introspections = tokens.map((token, at) => requestsOf(at).introspect(token))
  const keysRequest = requestText('GET', '/app-auth/.well-known/jwks.json', addressOf(1))
  return {
    code,
    exchange,
    async arrive(on, at) {
      const { arrival, first, appIds } = requestsOf(at)
      const { body } = expect(await on.ask(arrival), 201)
      const launches = body.split('"launchId":"').slice(1)
      const codes: ReadyCode[] = []
      for (const text of launches) {
        const app = appIds.indexOf(textAfter(text, '"app":{"id":"', '"'))
        codes.push(await authorize(on, text.slice(0, text.indexOf('"')), first + app))
      }
      if (codes.length !== appIds.length) throw new Error(`not every app launched: ${body}`)
      return codes
    },
    async introspect(on, at) {
      const request = introspections[at % introspections.length] ?? ''
      const { body } = expect(await on.ask(request), 200)
      if (!body.startsWith('{"active":true')) throw new Error(`the token is not active: ${body}`)
    },
    async keys(on) {
      return expect(await on.ask(keysRequest), 200).body
    },
  }
}

/** The requests for each app of a person. */
function buildRequests(person: LaunchingPerson, index: number) {
  const { apps, sessionToken, sessionId, accountId, deviceId } = person
  const first = index * apps.length
  const from = addressOf(index)
  const caller = { ...JSON_TYPE, authorization: `Bearer ${sessionToken}`, ...from }
  const opening = { accountId, ehrType: 'meadow', deviceId, launch: ['ui'] }
  const arrival = requestText('POST', '/api/sessions', caller, JSON.stringify(opening))
  return apps.map((app, place) => {
    const { id, clientId, secret } = app
    const { verifier, challenge } = pkceOf(first + place)
    const client = { client_id: clientId, client_secret: secret }
    const query = buildAuthorizeQuery(app, LAUNCH_ID, challenge)
    const exchange = buildExchange(app, CODE, verifier)
    const path = `/api/sessions/${sessionId}/launches`
    const body = JSON.stringify({ appId: id, kind: 'ui' })
    return {
      arrival,
      first,
      appIds: apps.map((app) => app.id),
      launch: requestText('POST', path, caller, body),
      authorize: requestText('GET', `/app-auth/authorize?${query}`, from).split(LAUNCH_ID),
      token: requestWith('/app-auth/token', { ...JSON_TYPE, ...from }, exchange),
      introspect: (token: string) =>
        requestText(
          'POST',
          '/app-auth/introspect',
          { ...FORM_TYPE, ...from },
          new URLSearchParams({ ...client, token }).toString(),
        ),
    }
  })
}

type App = LaunchingPerson['apps'][number]

export const buildAuthorizeQuery = (
  { clientId, redirectUri }: App,
  launchId: string,
  challenge: string,
) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    launch: launchId,
    scope: 'launch openid',
    redirect_uri: redirectUri,
    state: `${launchId}:csrf`,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })

export const buildExchange = (
  { clientId, secret, redirectUri }: App,
  code: string,
  verifier: string,
) =>
  JSON.stringify({
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    client_secret: secret,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })

/** A POST with a place for the code in its body; the length follows the code. */
export function requestWith(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): (code: string) => string {
  const known = new Map<number, string[]>()
  return (code) => {
    let parts = known.get(code.length)
    if (!parts) {
      const placeholder = CODE.padEnd(code.length, '_')
      const whole = requestText('POST', path, headers, body.replace(CODE, placeholder))
      parts = whole.split(placeholder)
      known.set(code.length, parts)
    }
    return parts.join(code)
  }
}

export const CODE_PLACEHOLDER = CODE

export function expect(answer: RawAnswer, ...statuses: readonly number[]): RawAnswer {
  if (statuses.includes(answer.status)) return answer
  throw new Error(`expected ${statuses.join(' or ')}, got: ${answer.head}\n${answer.body}`)
}

export function textAfter(text: string, before: string, after: string): string {
  const start = text.indexOf(before)
  const from = start + before.length
  const end = text.indexOf(after, from)
  if (start < 0 || end < 0) throw new Error(`no ${before} in ${text}`)
  return text.slice(from, end)
}
