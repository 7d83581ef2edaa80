// Launches for the browser tests of the console: a vendor with an app, a collection of the practice, a provider,
// and launches that become ready or fail, made through the API and the OAuth endpoints. Owns no
// expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import type { ConsoleFixture } from './console-fixture.ts'

export type Launching = Awaited<ReturnType<typeof startLaunching>>

export interface Launched {
  readonly id: string
  readonly launchId: string
}

interface Names {
  readonly appName: string
  readonly vendorName: string
  readonly providerName?: string
  readonly ehrName?: string
  readonly deviceId?: string
  /** Between the steps of a launch; lets the clock of the service go on. */
  readonly pause?: () => void
}

export async function startLaunching(
  { api, accountId, addPerson, base }: ConsoleFixture,
  {
    appName,
    vendorName,
    providerName = 'Pat Provider',
    ehrName = 'Meadow',
    deviceId = 'room-2',
    pause = () => {},
  }: Names,
) {
  const vendor = await api('POST', '/api/accounts', { name: vendorName })
  const redirectUri = 'https://notes.example/callback'
  const app = await api('POST', '/api/apps', {
    accountId: vendor.id,
    name: appName,
    launchUrl: 'https://notes.example/launch',
    redirectUris: [redirectUri],
    ...{ stagingAccess: true },
  })
  const secrets = `/api/apps/${app.id}/secrets`
  const { secret } = await api('POST', secrets, { label: 'Production 2026' })
  const retired = await api('POST', secrets, { label: 'Production 2025' })
  await api('DELETE', `${secrets}/${retired.id}`)
  const collection = await api('POST', '/api/collections', { accountId, name: 'Primary care' })
  const ehrs = [{ ehrType: 'meadow', name: ehrName, matches: ['https://ehr.example/*'] }]
  const draft = { ehrs, apps: [{ appId: app.id, autoLaunch: true }] }
  await api('PATCH', `/api/collections/${collection.id}`, { draft })
  await api('POST', `/api/collections/${collection.id}/versions`, {})
  const choice = { collection: { id: collection.id, version: 'latest' } }
  await api('PATCH', `/api/accounts/${accountId}`, choice)

  const provider = await addPerson(providerName, 'provider')
  const post = async (path: string, token: string, body: object) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    return text === '' ? {} : JSON.parse(text)
  }
  const { token } = await post('/auth/sign-in', '', provider)
  assert.ok(token, 'the provider is signed in')

  const authorizeUrl = (launchId: string, redirect = redirectUri) =>
    `${base}/app-auth/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: app.clientId, launch: launchId },
      ...{ scope: 'launch openid', redirect_uri: redirect, state: `${launchId}:csrf` },
    })}`

  async function launch(): Promise<Launched> {
    const opening = { accountId, ehrType: 'meadow', deviceId }
    const session = await post('/api/sessions', token, opening)
    const body = { appId: app.id, kind: 'ui' }
    const { id, launchId } = await post(`/api/sessions/${session.id}/launches`, token, body)
    pause()
    await report(id, { step: 'opened', outcome: 'ok' })
    pause()
    return { id, launchId }
  }

  const report = (id: string, body: object) => post(`/api/launches/${id}/steps`, token, body)

  async function exchange(launched: Launched, clientSecret: string): Promise<void> {
    const answer = await fetch(authorizeUrl(launched.launchId), { redirect: 'manual' })
    pause()
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code')
    await post('/app-auth/token', '', {
      ...{ grant_type: 'authorization_code', code },
      ...{ client_id: app.clientId, client_secret: clientSecret },
    })
  }

  /** From an opened launch to a ready one. */
  async function finish(launched: Launched): Promise<void> {
    await exchange(launched, secret)
    const page = { hostVersion: 'Sandbox', sdkVersion: '1.0.0' }
    pause()
    await report(launched.id, { step: 'handshake', outcome: 'ok', page })
    pause()
    await report(launched.id, { step: 'context', outcome: 'ok' })
  }

  return {
    vendorId: vendor.id as string,
    appId: app.id as string,
    authorizeUrl,
    launch,
    report,
    async failExchange(): Promise<Launched> {
      const launched = await launch()
      await exchange(launched, retired.secret)
      return launched
    },
    finish,
    async ready(): Promise<Launched> {
      const launched = await launch()
      await finish(launched)
      return launched
    },
  }
}
