// Runs successful and failing flows against the real service at debug level, and searches its data
// directory and its output: no issued or presented secret may be there in any encoding. A value that
// is known to be stored proves that the search works. Security C14, C15, J08; contract §1.
import assert from 'node:assert/strict'
import { createHash, createPrivateKey } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { masterKeyFrom, unseal } from '../../packages/server/src/keys/master-key.ts'
import { sendFailingRequests } from './failing-requests.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import {
  api,
  authorize,
  bearer,
  exchange,
  launch,
  type Practice,
  send,
  setUpPractice,
} from './story-verbs.ts'
import { collectTraces, findIn, type Trace } from './traces.ts'

const APP_NAME = 'Canary Notes 8b1f'
const parent = mkdtempSync(join(tmpdir(), 'chartside-secrets-'))
/** Made by the service, so that its mode is the service's choice. */
const dataDir = join(parent, 'data')
let service: ServiceProcess
let practice: Practice
/** Everything that was issued or presented, by name. */
const secrets = new Map<string, string>()

before(async () => {
  const environment = { CHARTSIDE_LOG_LEVEL: 'debug' }
  service = await startService({ dataDir, environment })
  practice = await setUpPractice(service.baseUrl, ADMIN, { appName: APP_NAME })
  secrets.set('admin password', ADMIN.password)
  secrets.set('session token', practice.sessionToken)
  secrets.set('client secret', practice.app.secret)
})
after(async () => {
  await service.discard()
  rmSync(parent, { recursive: true, force: true })
})

const look = (): Trace[] => collectTraces(dataDir, { 'printed output': service.output() })

test('the search finds what is known to be stored and printed', () => {
  const traces = look()
  assert.ok(traces.some(({ where }) => where.endsWith('-wal')))
  const found = findIn(traces, new Map([['app name', APP_NAME]]))
  assert.ok(
    found.some((place) => place.includes('chartside.db')),
    String(found),
  )
  const row = practice.sessionToken.slice('st_'.length, 'st_'.length + 22)
  const notPrinted = new Map([['listening address', String(service.port)]])
  assert.ok(findIn(traces, notPrinted).some((place) => place.includes('printed output')))
  assert.ok(findIn(traces, new Map([['sign-in', `sgn_${row}`]])).length > 0)
})

test('no secret of a good flow is stored or printed [C14, C15]', async () => {
  await runGoodFlow()
  assert.deepEqual(findIn(look(), secrets), [])
})

test('no secret of a failing request is stored or printed [C14, C15, T01, C12]', async () => {
  const presented = await sendFailingRequests(practice, ADMIN)
  for (const [name, value] of presented) secrets.set(name, value)
  assert.ok(secrets.size >= 12)
  assert.match(service.output(), /refused/, 'the refusals were logged, so there was a temptation')
  assert.deepEqual(findIn(look(), secrets), [])
})

test('private keys and the launch key are in no file and no line [J08]', () => {
  const keys = unsealKeys()
  assert.ok(keys.size >= 4)
  assert.deepEqual(findIn(look(), keys), [])
  const publicModulus = new Map([['n', String(publicKeyOf(keys).n)]])
  assert.ok(findIn(look(), publicModulus).length > 0, 'the published half is there to be found')
})

test('the data directory and the master key are closed to others', () => {
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
})

test('finds no secret after a crash and a restart', async () => {
  await service.end('SIGKILL')
  assert.deepEqual(findIn(collectTraces(dataDir, {}), secrets), [])
  service = await startService({ dataDir, port: service.port })
  await service.end('SIGTERM')
  assert.deepEqual(findIn(look(), secrets), [])
})

/** A launch with PKCE and nonce, exchanged by HTTP Basic, its token used everywhere and revoked. */
async function runGoodFlow(): Promise<void> {
  const { baseUrl, app, sessionToken } = practice
  const verifier = 'v'.repeat(20) + createHash('sha256').update('verifier').digest('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const { launchId, id } = await launch(practice)
  const { code = '' } = await authorize(practice, launchId, {
    code_challenge: challenge,
    code_challenge_method: 'S256',
    nonce: 'nonce-1',
  })
  const basic = Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')
  const tokens = await send(baseUrl, '/app-auth/token', {
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier }),
  })
  assert.equal(tokens.status, 200, tokens.text)
  const token = String(tokens.body.access_token)
  for (const [name, value] of [
    ['launch_id', launchId],
    ['code', code],
    ['code_verifier', verifier],
    ['access token', token],
    ['ID token', String(tokens.body.id_token)],
    ['HTTP Basic credentials', basic],
  ] as const) {
    secrets.set(name, value)
  }
  const userinfo = await send(baseUrl, '/app-auth/userinfo', { headers: bearer(token) })
  assert.equal(userinfo.status, 200, userinfo.text)
  for (const path of ['introspect', 'revoke']) {
    const body = new URLSearchParams({
      token,
      ...(path === 'revoke' ? { client_id: app.clientId, client_secret: app.secret } : {}),
    })
    const headers = path === 'introspect' ? bearer(sessionToken) : {}
    const answer = await send(baseUrl, `/app-auth/${path}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, answer.text)
  }
  await api(practice, 'POST', `/api/launches/${id}/steps`, { step: 'opened', outcome: 'ok' })
  // A second launch that is replayed, so that the failure is written to its timeline.
  const second = await launch(practice)
  const { code: replayed = '' } = await authorize(practice, second.launchId)
  await exchange(practice, replayed)
  assert.equal((await exchange(practice, replayed)).body.error, 'invalid_grant')
  secrets.set('second launch_id', second.launchId).set('replayed code', replayed)
}

/** The secret halves of the stored keys, opened with the master key of the data directory. */
function unsealKeys(): Map<string, string | Buffer> {
  const copy = join(parent, 'copy.db')
  for (const suffix of ['', '-wal']) {
    copyFileSync(join(dataDir, `chartside.db${suffix}`), copy + suffix)
  }
  const db = new DatabaseSync(copy)
  const rows = db.prepare('SELECT id, purpose, sealed FROM keys').all()
  db.close()
  const current = masterKeyFrom(readFileSync(join(dataDir, 'master.key'), 'utf8').trim())
  const keys = new Map<string, string | Buffer>()
  for (const { id, purpose, sealed } of rows) {
    const secret = unseal({ current, previous: undefined }, String(id), String(sealed))
    keys.set(`${purpose} ${id}`, secret)
    if (purpose !== 'signature') continue
    const key = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' })
    const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString()
    keys.set('a line of the PEM', pem.split('\n')[5] ?? '')
    for (const part of ['d', 'p', 'q'] as const) {
      const encoded = String(key.export({ format: 'jwk' })[part])
      keys.set(`JWK ${part}`, encoded).set(`${part} as bytes`, Buffer.from(encoded, 'base64url'))
    }
  }
  return keys
}

function publicKeyOf(keys: ReadonlyMap<string, string | Buffer>) {
  const [, der] = [...keys].find(([name]) => name.startsWith('signature')) ?? []
  return createPrivateKey({ key: Buffer.from(der ?? ''), format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  })
}
