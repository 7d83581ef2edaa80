// Each rule on logout tokens finds its fault, and no other rule does.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { decodeIdToken } from '../src/id-token.ts'
import { ModuleContext } from '../src/module-context.ts'
import { LOGOUT_RULES } from '../src/modules/logout.ts'
import { Transcript } from '../src/transcript.ts'

const ISSUER = 'https://chartside.example/app-auth'
const NOW = Math.floor(Date.now() / 1000)
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const ID_TOKEN = {
  header: { alg: 'RS256' },
  claims: { sid: 'ses_1', sub: 'usr_1' },
}
const CLAIMS: JWTPayload = {
  ...{ iss: ISSUER, aud: 'client_1', iat: NOW, exp: NOW + 120, jti: 'evt_1' },
  ...{ sid: 'ses_1', sub: 'usr_1', events: EVENTS },
}

type Keys = Awaited<ReturnType<typeof generateKeyPair>>
let own: Keys
let foreign: Keys
let context: ModuleContext
before(async () => {
  own = await generateKeyPair('RS256')
  foreign = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256' }]
  context = new ModuleContext({
    target: { issuer: ISSUER, client: { id: 'client_1' } } as never,
    metadata: { jwks_uri: 'https://chartside.example/jwks' } as never,
    http: { send: async () => ({ status: 200, json: { keys } }) } as never,
    transcript: new Transcript(new Set()),
    codeReuseWaitSeconds: 0,
    signal: new AbortController().signal,
  })
})

interface Fault {
  readonly header?: object
  readonly claims?: object
  readonly key?: () => Keys
  readonly notice?: object
  /** No notice came. */
  readonly isMissing?: true
}

async function failedBy({ header, claims, key, notice, isMissing }: Fault): Promise<string[]> {
  const logoutToken = await new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'logout+jwt', ...header })
    .sign((key?.() ?? own).privateKey)
  const sent = {
    ...{ method: 'POST', contentType: 'application/x-www-form-urlencoded', logoutToken },
    ...notice,
  }
  const token = decodeIdToken(context, logoutToken)
  const session = {
    idToken: ID_TOKEN,
    notice: isMissing ? undefined : sent,
    token: { header: { ...token.header }, claims: token.claims },
  }
  const failed: string[] = []
  for (const { id, check } of LOGOUT_RULES) {
    try {
      await check(context, session)
    } catch {
      failed.push(id.replace('oidc-backchannel-logout-', ''))
    }
  }
  return failed
}

test('a right logout token passes every rule', async () => {
  assert.deepEqual(await failedBy({}), [])
})

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['sent', { notice: { method: 'GET' } }],
  ['sent', { notice: { contentType: 'application/json' } }],
  ['header', { header: { typ: 'JWT' } }],
  ['header', { header: { typ: undefined } }],
  ['signature', { key: () => foreign }],
  ['claims', { claims: { iss: 'https://other.example' } }],
  ['claims', { claims: { aud: 'client_2' } }],
  ['claims', { claims: { iat: NOW - 3600 } }],
  ['claims', { claims: { exp: undefined } }],
  ['event', { claims: { events: undefined } }],
  ['event', { claims: { events: { 'https://other.example/event': {} } } }],
  ['event', { claims: { events: { ...EVENTS, [Object.keys(EVENTS)[0] ?? '']: true } } }],
  ['event', { claims: { jti: undefined } }],
  ['session', { claims: { sid: 'ses_2' } }],
  ['session', { claims: { sid: undefined } }],
  ['session', { claims: { sub: 'usr_2' } }],
  ['no-nonce', { claims: { nonce: 'n-1' } }],
]

for (const [rule, fault] of FAULTS) {
  const { key, ...shown } = fault
  test(
    `the rule ${rule} alone finds ${key ? 'another key' : JSON.stringify(shown)}`.slice(0, 80),
    async () => {
      assert.deepEqual(await failedBy(fault), [rule])
    },
  )
}

test('says that no notice came', async () => {
  assert.ok((await failedBy({ isMissing: true })).includes('sent'))
})
