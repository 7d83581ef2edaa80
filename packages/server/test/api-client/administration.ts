// A whole administration as a program of another team does it: through a client whose every path,
// field and answer is typed by the published document. Owns no expectation but that each step works.
import type { paths } from 'chartside-api'
import createClient, { type Middleware } from 'openapi-fetch'

export interface Platform {
  readonly baseUrl: string
  readonly administrator: { readonly email: string; readonly password: string }
  /** What a person does in a browser with the address that they were sent. */
  acceptInvitation(url: string, password: string): Promise<void>
}

interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** What came back, or an error with the problem details. */
function must<T>({ data, error, response }: Answer<T>): T {
  if (data !== undefined) return data
  throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`)
}

async function signIn(baseUrl: string, email: string, password: string) {
  const client = createClient<paths>({ baseUrl })
  const { token } = must(await client.POST('/auth/sign-in', { body: { email, password } }))
  const bearer: Middleware = {
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`)
      return request
    },
  }
  client.use(bearer)
  return client
}

const PASSWORD = 'a provider has a password'
const MEADOW = { ehrType: 'meadow', name: 'Meadow EHR', matches: ['https://ehr.example/*'] }

/** From nothing to an app that runs in a provider's EHR session. */
export async function administer({ baseUrl, administrator, acceptInvitation }: Platform) {
  const admin = await signIn(baseUrl, administrator.email, administrator.password)

  const account = must(await admin.POST('/api/accounts', { body: { name: 'Lakeside' } }))
  const ofAccount = { params: { path: { id: account.id } } }
  const email = 'mei.tanaka@lakeside.example'
  const invited = must(
    await admin.POST('/api/accounts/{id}/members', {
      ...ofAccount,
      body: { email, name: 'Dr. Mei Tanaka', role: 'provider' },
    }),
  )
  await acceptInvitation(invited.invitationUrl, PASSWORD)

  const app = must(
    await admin.POST('/api/apps', {
      body: {
        accountId: account.id,
        name: 'Visit Notes',
        launchUrl: 'https://notes.example/launch',
        redirectUris: ['https://notes.example/callback'],
      },
    }),
  )
  const ofApp = { params: { path: { id: app.id } } }
  const { secret } = must(
    await admin.POST('/api/apps/{id}/secrets', { ...ofApp, body: { label: 'First' } }),
  )
  const changed = must(
    await admin.PATCH('/api/apps/{id}', { ...ofApp, body: { requirePkce: true, iconUrl: null } }),
  )

  const collection = must(
    await admin.POST('/api/collections', { body: { accountId: account.id, name: 'Everything' } }),
  )
  const ofCollection = { params: { path: { id: collection.id } } }
  const draft = { ehrs: [MEADOW], apps: [{ appId: app.id, autoLaunch: true }] }
  must(await admin.PATCH('/api/collections/{id}', { ...ofCollection, body: { draft } }))
  const version = must(
    await admin.POST('/api/collections/{id}/versions', { ...ofCollection, body: { notes: 'One' } }),
  )
  must(
    await admin.PATCH('/api/accounts/{id}', {
      ...ofAccount,
      body: { collection: { id: collection.id, version: 'latest' } },
    }),
  )

  const provider = await signIn(baseUrl, email, PASSWORD)
  const me = must(await provider.GET('/api/users/me', {}))
  const session = must(
    await provider.POST('/api/sessions', {
      body: { accountId: account.id, ehrType: 'meadow', deviceId: 'exam-room-2' },
    }),
  )
  const ofSession = { params: { path: { id: session.id } } }
  const launch = must(
    await provider.POST('/api/sessions/{id}/launches', {
      ...ofSession,
      body: { appId: app.id, kind: 'ui' },
    }),
  )
  const { items } = must(
    await provider.GET('/api/launches', { params: { query: { sessionId: session.id } } }),
  )
  const refused = await provider.PATCH('/api/apps/{id}', { ...ofApp, body: { name: 'Mine' } })
  return { account, app: changed, secret, version, me, session, launch, items, refused }
}
