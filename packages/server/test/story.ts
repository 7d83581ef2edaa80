// The fixture of a launch story, created through the public API, and the verbs of the story: launch,
// authorize, exchange. Owns no expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedLaunch } from '@chartside/protocol/launch'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { checkAnswer } from './answer-check.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

export interface RegisteredApp {
  readonly id: string
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
}

export interface Story {
  readonly service: TestService
  readonly adminToken: string
  readonly accountId: string
  readonly app: RegisteredApp
  readonly sessionId: string
  request(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Calls the backend API as the administrator, who is also the provider here. */
  api(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
  ): Promise<LightMyRequestResponse>
  /** Registers one more app in the account's collection; it runs in sessions opened later. */
  registerApp(name: string, fields?: object): Promise<RegisteredApp>
  openSession(): Promise<string>
  launch(options?: { app?: RegisteredApp; sessionId?: string }): Promise<OpenedLaunch>
  close(): Promise<void>
}

export type Served = Pick<LightMyRequestResponse, 'statusCode' | 'headers'>

const MAX_REFUSALS = 100
const COME_BACK_MS = 20

/**
 * Asks again as long as the node is busy: on a machine with other work, many requests at once wait longer than
 * its queue allows. A client that follows Retry-After does the same, only later.
 */
export async function untilServed<A extends Served>(ask: () => Promise<A>): Promise<A> {
  for (let refusals = 0; ; refusals++) {
    const answer = await ask()
    const isBusy = answer.statusCode === 503 && answer.headers['retry-after'] !== undefined
    if (!isBusy || refusals === MAX_REFUSALS) return answer
    await sleep(COME_BACK_MS)
  }
}

export async function startStory(
  environment: Record<string, string> = {},
  options: Parameters<typeof startTestService>[1] = {},
): Promise<Story> {
  const service = await startTestService(environment, options)
  const request = async (injected: InjectOptions) => {
    const answer = await service.server.inject(injected)
    checkAnswer(injected.method ?? 'GET', String(injected.url), answer)
    return answer
  }
  const adminToken = await signIn(service, ADMIN)
  const api = administratorApi({ service, request }, adminToken)
  const account = created(await api('POST', '/api/accounts', { name: 'Lakeside' }))
  const accountId = String(account.id)
  const collection = created(
    await api('POST', '/api/collections', { accountId, name: 'Everything' }),
  )
  const apps: { appId: string; autoLaunch: boolean }[] = []

  async function registerApp(name: string, fields: object = {}): Promise<RegisteredApp> {
    const redirectUri = `https://${name}.example/callback`
    const app = created(
      await api('POST', '/api/apps', {
        accountId,
        name,
        launchUrl: `https://${name}.example/launch`,
        redirectUris: [redirectUri],
        ...fields,
      }),
    )
    const id = String(app.id)
    const { secret } = created(await api('POST', `/api/apps/${id}/secrets`, {}))
    apps.push({ appId: id, autoLaunch: true })
    const ehrs = [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }]
    await api('PATCH', `/api/collections/${collection.id}`, { draft: { ehrs, apps } })
    created(await api('POST', `/api/collections/${collection.id}/versions`, {}))
    const choice = { collection: { id: collection.id, version: 'latest' } }
    assert.equal((await api('PATCH', `/api/accounts/${accountId}`, choice)).statusCode, 200)
    return { id, clientId: String(app.clientId), secret: String(secret), redirectUri }
  }

  async function openSession(): Promise<string> {
    const body = { accountId, ehrType: 'meadow', deviceId: 'device-1' }
    return String(created(await api('POST', '/api/sessions', body)).id)
  }

  const app = await registerApp('notes')
  const sessionId = await openSession()
  return {
    service,
    adminToken,
    accountId,
    app,
    sessionId,
    request,
    api,
    registerApp,
    openSession,
    async launch({ app: launched = app, sessionId: session = sessionId } = {}) {
      const body = { appId: launched.id, kind: 'ui' }
      return created(await api('POST', `/api/sessions/${session}/launches`, body)) as never
    },
    close: () => service.close(),
  }
}

/** Signs in again where it is asked to, as a person does when the clock of the story has moved on. */
export function administratorApi(
  { service, request }: Pick<Story, 'service' | 'request'>,
  adminToken: string,
): Story['api'] {
  const send = (token: string, ...[method, url, body]: Parameters<Story['api']>) =>
    request({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { payload: body } : {}),
    })
  return async (...call) => {
    const answer = await send(adminToken, ...call)
    const isTooOld = answer.statusCode === 403 && answer.json().code === 'sign_in_again'
    const isIdle = answer.statusCode === 401 && answer.json().ended?.reason === 'idle'
    return isTooOld || isIdle ? send(await signIn(service, ADMIN), ...call) : answer
  }
}

export async function signIn(
  service: TestService,
  credentials: { email: string; password: string },
): Promise<string> {
  const answer = await service.server.inject({
    method: 'POST',
    url: '/auth/sign-in',
    payload: credentials,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().token
}

function created(answer: LightMyRequestResponse): Record<string, unknown> {
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

/** The parameters of a correct authorize request; `undefined` leaves one out. */
export function authorizeParameters(
  app: RegisteredApp,
  launchId: string,
  changes: Record<string, string | undefined> = {},
): URLSearchParams {
  const parameters = new URLSearchParams()
  const all = {
    response_type: 'code',
    client_id: app.clientId,
    launch: launchId,
    scope: 'launch openid',
    redirect_uri: app.redirectUri,
    state: `${launchId}:csrf`,
    ...changes,
  }
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) parameters.append(name, value)
  }
  return parameters
}

/** The URL to which authorize redirects. */
export function redirectOf(answer: LightMyRequestResponse): URL {
  assert.equal(answer.statusCode, 302, answer.body)
  return new URL(String(answer.headers.location))
}

export async function authorize(
  story: Story,
  launchId: string,
  changes: Record<string, string | undefined> = {},
  app: RegisteredApp = story.app,
): Promise<URL> {
  const parameters = authorizeParameters(app, launchId, changes)
  return redirectOf(await story.request({ url: `/app-auth/authorize?${parameters}` }))
}

/** A new code of a new launch. */
export async function freshCode(
  story: Story,
  changes: Record<string, string | undefined> = {},
): Promise<string> {
  const { launchId } = await story.launch()
  const code = (await authorize(story, launchId, changes)).searchParams.get('code')
  assert.ok(code)
  return code
}

export function exchange(
  story: Story,
  code: string,
  changes: Record<string, unknown> = {},
  app: RegisteredApp = story.app,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const payload = {
    grant_type: 'authorization_code',
    code,
    client_id: app.clientId,
    client_secret: app.secret,
    ...changes,
  }
  return story.request({ method: 'POST', url: '/app-auth/token', headers, payload })
}

/** Whether introspection by its app says that an access token is active; to any other app none is. */
export async function isActive(
  story: Story,
  token: string,
  { clientId, secret }: Pick<RegisteredApp, 'clientId' | 'secret'> = story.app,
): Promise<boolean> {
  const answer = await story.request({
    method: 'POST',
    url: '/app-auth/introspect',
    payload: { token, client_id: clientId, client_secret: secret },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().active
}
