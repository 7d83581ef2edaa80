// The parts of host page, app page and browser in a launch, without a browser: sign in, open an EHR
// session, launch, authorize. Follows no redirect to an app; the tests do the rest.
// Spec §1.1, §4.1.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { EhrSession, OpenedLaunch } from '@chartside/protocol/launch'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import type { Sandbox } from '../src/sandbox.ts'

export type Practice = (typeof SAMPLE_PRACTICES)[number]

/** Node cannot resolve `*.localhost`; the servers listen on loopback. */
export const local = (url: string): string => url.replace(/\/\/[a-z.-]+\.localhost/, '//127.0.0.1')

export async function json<Reply>(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(local(url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Reply, response }
}

async function openSession(service: string, { name, providers: [provider] }: Practice) {
  const credentials = { email: provider.email, password: SAMPLE_PASSWORD }
  const signedIn = await json<{ token: string }>(`${service}/auth/sign-in`, credentials)
  const authorization = `Bearer ${signedIn.body.token}`
  const me = await json<{ memberships: { account: { id: string; name: string } }[] }>(
    `${service}/api/users/me`,
    undefined,
    { authorization },
  )
  const accountId = me.body.memberships.find(({ account }) => account.name === name)?.account.id
  const session = await json<EhrSession>(
    `${service}/api/sessions`,
    { accountId, ehrType: 'meadow', deviceId: 'test-device' },
    { authorization },
  )
  return { authorization, session: session.body }
}

const VERIFIER = 'v'.repeat(43)
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
const NONCE_PROOF = 'p'.repeat(43)

/** What the page of Visit Notes does with its code: the exchange, and the session after the SDK. */
export async function startSession<Reply>(appUrl: string, code: string) {
  const origin = { origin: appUrl }
  const tokens = await exchange(appUrl, code)
  const proof = { id_token: tokens.body.id_token, nonce_proof: NONCE_PROOF }
  return json<Reply>(`${appUrl}/api/session`, proof, origin)
}

export const exchange = (appUrl: string, code: string) =>
  json<Readonly<Record<string, string>>>(
    `${appUrl}/api/exchange`,
    { code, code_verifier: VERIFIER },
    { origin: appUrl },
  )

/** The parts of host, app page and browser up to the callback. Returns the code. */
export async function launchAndAuthorize(
  sandbox: Sandbox,
  name: string,
  appUrl: string,
  at: Practice = SAMPLE_PRACTICES[0],
): Promise<string> {
  const service = sandbox.places.service.url
  const { authorization, session } = await openSession(service, at)
  const app = session.apps.find((candidate) => candidate.name === name)
  assert.ok(app, `${name} is in the session`)
  const opened = await json<OpenedLaunch>(
    `${service}/api/sessions/${session.id}/launches`,
    { appId: app.id, kind: app.kinds[0] },
    { authorization },
  )
  assert.equal(opened.status, 201)
  const page = await (await fetch(local(opened.body.launchUrl))).text()
  const [clientId = ''] = /cli_[0-9a-f]{32}/.exec(page) ?? []
  const authorize = new URL(`${service}/app-auth/authorize`)
  authorize.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    launch: opened.body.launchId,
    scope: 'launch openid profile',
    redirect_uri: `${appUrl}/callback`,
    state: `${opened.body.launchId}:csrf`,
    // The SDK of option 2 has no verifier.
    nonce: hash(NONCE_PROOF),
    ...(name === 'Visit Notes'
      ? { code_challenge: hash(VERIFIER), code_challenge_method: 'S256' }
      : {}),
  }).toString()
  const { headers } = await fetch(authorize, { redirect: 'manual' })
  const location = new URL(headers.get('location') ?? 'http://no-redirect.invalid')
  assert.equal(location.origin, appUrl)
  return location.searchParams.get('code') ?? ''
}
