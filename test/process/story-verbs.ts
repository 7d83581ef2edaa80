// The verbs of a launch over real HTTP, as a host, a browser and an app's server speak them: sign
// in, set up, launch, authorize, exchange, introspect. Sends and reads; expects nothing but that
// the set-up works. Spec §1.1, §4.1, §4.2.
import assert from 'node:assert/strict'
import type { OpenedLaunch } from '@chartside/protocol/launch'

export interface RegisteredApp {
  readonly id: string
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
}

/** Everything that a provider who launches one app needs. */
export interface Practice {
  readonly baseUrl: string
  readonly sessionToken: string
  readonly accountId: string
  readonly app: RegisteredApp
  readonly sessionId: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as a JSON object; empty when it is none. */
  readonly body: Record<string, unknown>
}

export async function send(baseUrl: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(baseUrl + path, { redirect: 'manual', ...init })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  }
}

export const sendJson = (
  baseUrl: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
) =>
  send(baseUrl, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A call of the backend API. */
export function api(
  { baseUrl, sessionToken }: Pick<Practice, 'baseUrl' | 'sessionToken'>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const json = body ? { 'content-type': 'application/json' } : {}
  return send(baseUrl, path, {
    method,
    headers: { ...bearer(sessionToken), ...json },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

function created(answer: Answer): Record<string, unknown> {
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export async function signIn(
  baseUrl: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<string> {
  const answer = await sendJson(baseUrl, '/auth/sign-in', credentials)
  assert.equal(answer.status, 200, answer.text)
  return String(answer.body.token)
}

/** Signs in and sets up a practice with one app, published and assigned, and an EHR session. */
export async function setUpPractice(
  baseUrl: string,
  credentials: { readonly email: string; readonly password: string },
  { appName = 'Process Notes', appFields = {} }: { appName?: string; appFields?: object } = {},
): Promise<Practice> {
  const sessionToken = await signIn(baseUrl, credentials)
  const caller = { baseUrl, sessionToken }
  const account = created(await api(caller, 'POST', '/api/accounts', { name: 'Process Practice' }))
  const accountId = String(account.id)
  const app = await registerApp(caller, accountId, appName, appFields)
  const draft = {
    ehrs: [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }],
    apps: [{ appId: app.id, autoLaunch: true }],
  }
  const collection = created(
    await api(caller, 'POST', '/api/collections', { accountId, name: 'Everything', draft }),
  )
  created(await api(caller, 'POST', `/api/collections/${collection.id}/versions`, {}))
  const choice = { collection: { id: collection.id, version: 'latest' } }
  const assigned = await api(caller, 'PATCH', `/api/accounts/${accountId}`, choice)
  assert.equal(assigned.status, 200, assigned.text)
  const sessionId = await openSession(caller, accountId)
  return { ...caller, accountId, app, sessionId }
}

export async function registerApp(
  caller: Pick<Practice, 'baseUrl' | 'sessionToken'>,
  accountId: string,
  name: string,
  fields: object = {},
): Promise<RegisteredApp> {
  const redirectUri = 'https://notes.example/callback'
  const app = created(
    await api(caller, 'POST', '/api/apps', {
      accountId,
      name,
      launchUrl: 'https://notes.example/launch',
      redirectUris: [redirectUri],
      ...fields,
    }),
  )
  const { secret } = created(await api(caller, 'POST', `/api/apps/${app.id}/secrets`, {}))
  return {
    id: String(app.id),
    clientId: String(app.clientId),
    secret: String(secret),
    redirectUri,
  }
}

export async function openSession(
  caller: Pick<Practice, 'baseUrl' | 'sessionToken'>,
  accountId: string,
): Promise<string> {
  const body = { accountId, ehrType: 'meadow', deviceId: 'device-1' }
  return String(created(await api(caller, 'POST', '/api/sessions', body)).id)
}

export async function launch(practice: Practice): Promise<OpenedLaunch> {
  const path = `/api/sessions/${practice.sessionId}/launches`
  const body = { appId: practice.app.id, kind: 'ui' }
  return created(await api(practice, 'POST', path, body)) as unknown as OpenedLaunch
}

/** The query of a correct authorize request. */
export function authorizePath(
  { app }: Practice,
  launchId: string,
  extra: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    launch: launchId,
    scope: 'launch openid',
    redirect_uri: app.redirectUri,
    state: `${launchId}:csrf`,
    ...extra,
  })
  return `/app-auth/authorize?${parameters}`
}

/** Sends the browser to authorize. The code, when the answer was a redirect that carries one. */
export async function authorize(
  practice: Practice,
  launchId: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<{ answer: Answer; code: string | undefined }> {
  const answer = await send(practice.baseUrl, authorizePath(practice, launchId, extra))
  return { answer, code: codeOf(answer.headers.get('location')) }
}

export function codeOf(location: string | null | undefined): string | undefined {
  return (location && new URL(location).searchParams.get('code')) || undefined
}

/** A fresh code of a fresh launch. */
export async function freshCode(practice: Practice): Promise<string> {
  const { launchId } = await launch(practice)
  const { answer, code } = await authorize(practice, launchId)
  assert.ok(code, answer.text)
  return code
}

export const tokenRequest = ({ app }: Pick<Practice, 'app'>, code: string) => ({
  grant_type: 'authorization_code',
  code,
  client_id: app.clientId,
  client_secret: app.secret,
})

export const exchange = (practice: Practice, code: string, changes: object = {}) =>
  sendJson(practice.baseUrl, '/app-auth/token', { ...tokenRequest(practice, code), ...changes })

/** Whether an access token is good, as its app sees it. */
export async function isActive(practice: Practice, token: string): Promise<boolean> {
  const { clientId: client_id, secret: client_secret } = practice.app
  const body = { token, client_id, client_secret }
  const answer = await sendJson(practice.baseUrl, '/app-auth/introspect', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.active === true
}

/** Sets a password by a one-time link, as a browser sends its form. */
export async function setPasswordByLink(url: string, password: string): Promise<void> {
  const page = await fetch(url)
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const fields = new URLSearchParams({ password })
  for (const [tag] of (await page.text()).matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(tag) ?? []
    fields.set(name, value)
  }
  const { origin } = new URL(url)
  const headers = { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' }
  const form = { method: 'POST', body: fields, headers }
  const answer = await fetch(`${origin}/auth/invitation/password`, form)
  assert.ok(answer.ok, await answer.text())
}
