// The requests of a launch as the load generator sends them: constant parts are built once, and each
// answer is compared with the one that is correct. Reads answers as text, because parsing would cost
// too much. Spec §4.1, §4.2.
import { authorizePath, type Practice, tokenRequest } from '../../test/process/story-verbs.ts'
import { type Connection, type RawAnswer, requestText } from './connection.ts'

export interface Operations {
  /** Opens a launch and authorizes it: two requests, one code. */
  code(connection: Connection): Promise<string>
  exchange(connection: Connection, code: string): Promise<void>
  introspect(connection: Connection): Promise<void>
  jwks(connection: Connection): Promise<void>
}

const LAUNCH_ID = 'THE_LAUNCH_ID'
const CODE = 'THE_CODE'
const JSON_TYPE = { 'content-type': 'application/json' }

export async function buildOperations(
  practice: Practice,
  connection: Connection,
): Promise<Operations> {
  const { app, sessionId, sessionToken } = practice
  const launchRequest = requestText(
    'POST',
    `/api/sessions/${sessionId}/launches`,
    { ...JSON_TYPE, authorization: `Bearer ${sessionToken}` },
    JSON.stringify({ appId: app.id, kind: 'ui' }),
  )
  const authorizeParts = requestText('GET', authorizePath(practice, LAUNCH_ID)).split(LAUNCH_ID)
  const jwksRequest = requestText('GET', '/app-auth/.well-known/jwks.json')
  // The length of a code is always the same, so the length of its body is too.
  const sample = await makeCode(connection)
  const placeholder = CODE.padEnd(sample.length, '_')
  const tokenBody = JSON.stringify(tokenRequest(practice, placeholder))
  const tokenParts = requestText('POST', '/app-auth/token', JSON_TYPE, tokenBody).split(placeholder)
  const token = textAfter(await exchangeCode(connection, sample), '"access_token":"', '"')
  const { clientId: client_id, secret: client_secret } = app
  const introspectRequest = requestText(
    'POST',
    '/app-auth/introspect',
    { 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams({ client_id, client_secret, token }).toString(),
  )

  async function makeCode(on: Connection): Promise<string> {
    const opened = expect(await on.ask(launchRequest), 201)
    const launchId = textAfter(opened.body, '"launchId":"', '"')
    const redirect = expect(await on.ask(authorizeParts.join(launchId)), 302)
    return textAfter(redirect.head, 'code=', '&')
  }
  async function exchangeCode(on: Connection, code: string): Promise<string> {
    return expect(await on.ask(tokenParts.join(code)), 200).body
  }
  return {
    code: makeCode,
    async exchange(on, code) {
      await exchangeCode(on, code)
    },
    async introspect(on) {
      const { body } = expect(await on.ask(introspectRequest), 200)
      if (!body.startsWith('{"active":true')) throw new Error(`the token is not active: ${body}`)
    },
    async jwks(on) {
      expect(await on.ask(jwksRequest), 200)
    },
  }
}

function expect(answer: RawAnswer, status: number): RawAnswer {
  if (answer.status === status) return answer
  throw new Error(`expected ${status}, got: ${answer.head}\n${answer.body}`)
}

function textAfter(text: string, before: string, after: string): string {
  const start = text.indexOf(before)
  const from = start + before.length
  const end = text.indexOf(after, from)
  if (start < 0 || end < 0) throw new Error(`no ${before} in ${text}`)
  return text.slice(from, end)
}
