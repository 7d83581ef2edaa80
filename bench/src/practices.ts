// Sets up the service under measurement as an installation has it: practices with apps of their own and
// members who joined by invitation and signed in more than once, each sign-in with an EHR session. Sends
// requests only; measures nothing.
import assert from 'node:assert/strict'
import {
  api,
  openSession,
  type RegisteredApp,
  registerApp,
  type send,
  sendJson,
  setPasswordByLink,
  signIn,
} from '../../test/process/story-verbs.ts'
import type { Provider } from './target.ts'

export interface InstallationSize {
  readonly practices: number
  readonly appsEach: number
  readonly signInsEach: number
}

/** Apps that a page of an EHR launches by itself. */
export const APPS_OF_AN_ARRIVAL = 4

export const INSTALLATION: InstallationSize = {
  practices: 16,
  appsEach: APPS_OF_AN_ARRIVAL,
  signInsEach: 4,
}

export const PASSWORD = 'a few words, well chosen'

interface Admin {
  readonly baseUrl: string
  readonly sessionToken: string
}

export async function setUpPractices(
  baseUrl: string,
  credentials: { readonly email: string; readonly password: string },
  { practices, appsEach, signInsEach }: InstallationSize = INSTALLATION,
): Promise<Provider[]> {
  const admin = { baseUrl, sessionToken: await signIn(baseUrl, credentials) }
  const people: Provider[] = []
  for (let number = 1; number <= practices; number++) {
    const name = `Practice ${number}`
    const accountId = await made(api(admin, 'POST', '/api/accounts', { name }))
    const apps: RegisteredApp[] = []
    while (apps.length < appsEach) {
      apps.push(await registerApp(admin, accountId, `App ${apps.length + 1} of ${number}`))
    }
    await assignCollection(admin, accountId, apps)
    const email = `provider${number}@practice.example`
    await join(admin, accountId, email)
    for (let index = 0; index < signInsEach; index++) {
      const sessionToken = await signIn(baseUrl, { email, password: PASSWORD })
      const sessionId = await openSession({ baseUrl, sessionToken }, accountId)
      const deviceId = `device-${index}`
      people.push({ email, sessionToken, sessionId, accountId, deviceId, apps })
    }
  }
  return people
}

async function made(answer: ReturnType<typeof send>): Promise<string> {
  const { status, body, text } = await answer
  assert.equal(status, 201, text)
  return String(body.id)
}

async function assignCollection(
  admin: Admin,
  accountId: string,
  apps: readonly RegisteredApp[],
): Promise<void> {
  const draft = {
    ehrs: [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }],
    apps: apps.map(({ id }) => ({ appId: id, autoLaunch: true })),
  }
  const body = { accountId, name: 'Everything', draft }
  const id = await made(api(admin, 'POST', '/api/collections', body))
  const published = await api(admin, 'POST', `/api/collections/${id}/versions`, {})
  assert.equal(published.status, 201, published.text)
  const choice = { collection: { id, version: 'latest' } }
  const assigned = await api(admin, 'PATCH', `/api/accounts/${accountId}`, choice)
  assert.equal(assigned.status, 200, assigned.text)
}

async function join(admin: Admin, accountId: string, email: string): Promise<void> {
  const headers = { authorization: `Bearer ${admin.sessionToken}` }
  const fields = { email, name: 'Dr. Amara Okafor', role: 'provider' }
  const path = `/api/accounts/${accountId}/members`
  const { status, body, text } = await sendJson(admin.baseUrl, path, fields, headers)
  assert.equal(status, 201, text)
  // The public address of the service may be another than the one that is measured.
  const link = new URL(String(body.invitationUrl))
  await setPasswordByLink(admin.baseUrl + link.pathname + link.search, PASSWORD)
}
