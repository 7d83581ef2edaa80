// Client secrets and the other bearer values as an operator meets them: their strength, how they are
// stored and shown, how a scanner finds them, and that another installation refuses them.
// Contract §1, security K01, K05.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { authorize, exchange, freshCode, isActive, type Story, startStory } from './story.ts'

let story: Story
let elsewhere: Story
before(async () => {
  story = await startStory()
  elsewhere = await startStory({ CHARTSIDE_BASE_URL: 'https://staging.chartside.test' })
})
after(async () => {
  await elsewhere.close()
  await story.close()
})

test('makes client secrets of 256 bits, shows each once and stores its SHA-256 [K01]', async () => {
  const url = `/api/apps/${story.app.id}/secrets`
  const made = await Promise.all(
    Array.from({ length: 8 }, () => story.api('POST', url, { label: 'one of eight' })),
  )
  const secrets = made.map((answer) => String(answer.json().secret))
  const random = secrets.map((secret) => Buffer.from(secret.slice(-43), 'base64url'))
  for (let at = 0; at < 32; at++) {
    assert.ok(new Set(random.map((bytes) => bytes[at])).size > 1, `byte ${at} is not random`)
  }
  const rows = await story.service.service.db.read(sql`SELECT * FROM client_secrets`)
  const shown = [
    (await story.api('GET', url)).body,
    (await story.api('GET', `/api/apps/${story.app.id}`)).body,
    JSON.stringify(rows),
  ]
  for (const secret of secrets) {
    const [, tail = ''] = /^cs_[0-9a-z]{22}([A-Za-z0-9_-]{43})$/.exec(secret) ?? []
    assert.equal(Buffer.from(tail, 'base64url').length * 8, 256)
    for (const text of shown) assert.equal(text.includes(tail), false)
    const stored = rows.filter((row) => row.secret_hash === hash('sha256', secret, 'base64url'))
    assert.equal(stored.length, 1)
  }
})

/** What a scanner of logs and repositories would look for. */
const SCANNER = /\b(lnch|code|at|cs|st)_[0-9a-z]{22}[A-Za-z0-9_-]{43}\b/g

test('gives every bearer value a prefix that one scanner rule finds [K05]', async () => {
  const { launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const { access_token: token } = (await exchange(story, code)).json()
  const values = [launchId, code, token, story.app.secret, story.adminToken]
  const leak = values.map((value, n) => `line ${n}: "${value}",`).join('\n')
  assert.deepEqual(leak.match(SCANNER), values)
})

test('refuses what another installation issued [K05]', async () => {
  const { launchId } = await story.launch()
  const code = await freshCode(story)
  const { access_token: token } = (await exchange(story, await freshCode(story))).json()
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` })

  const foreignClient = await exchange(elsewhere, code, {}, story.app)
  assert.deepEqual([foreignClient.statusCode, foreignClient.json().error], [401, 'invalid_client'])
  const foreignCode = await exchange(elsewhere, code)
  assert.deepEqual([foreignCode.statusCode, foreignCode.json().error], [400, 'invalid_grant'])
  const refused = await authorize(elsewhere, launchId)
  assert.equal(refused.searchParams.get('error'), 'invalid_request')
  for (const [url, value] of [
    ['/app-auth/userinfo', token],
    ['/api/users/me', story.adminToken],
  ] as const) {
    assert.equal((await story.request({ url, headers: bearer(value) })).statusCode, 200)
    assert.equal((await elsewhere.request({ url, headers: bearer(value) })).statusCode, 401)
  }
  // At home the code is still alive: nothing of this spent it.
  assert.equal((await exchange(story, code)).statusCode, 200)
})

/** The same identifier, another secret. */
const forge = (value: string) => `${value.slice(0, -43)}${'A'.repeat(43)}`

test('accepts no bearer value by its identifier alone [C14]', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const url = await authorize(story, forge(launchId))
  assert.equal(url.searchParams.get('error'), 'invalid_request')
  const spare = await freshCode(story)
  assert.equal((await exchange(story, forge(spare))).json().error, 'invalid_grant')
  const token = (await exchange(story, code)).json().access_token
  assert.equal(await isActive(story, token), true)
  assert.equal(await isActive(story, forge(token)), false)
  const wrong = { client_secret: forge(story.app.secret) }
  assert.equal((await exchange(story, spare, wrong)).statusCode, 401)
  const show = (value: string) =>
    story.request({
      url: `/api/launches/${id}`,
      headers: { authorization: `Bearer ${value}` },
    })
  assert.equal((await show(story.adminToken)).statusCode, 200)
  assert.equal((await show(forge(story.adminToken))).statusCode, 401)
  const body = { email: 'forged@lakeside.example', name: 'F', role: 'provider' }
  const members = `/api/accounts/${story.accountId}/members`
  const { invitationUrl } = (await story.api('POST', members, body)).json()
  const open = (address: string) => story.request({ url: address.replace(/^https:\/\/[^/]+/, '') })
  assert.equal((await open(invitationUrl)).statusCode, 200)
  assert.equal((await open(forge(invitationUrl))).statusCode, 410)
})

test('retires a secret of its own app only [U01]', async () => {
  const other = await story.registerApp('other')
  const { items } = (await story.api('GET', `/api/apps/${other.id}/secrets`)).json()
  const foreign = `/api/apps/${story.app.id}/secrets/${items[0].id}`
  assert.equal((await story.api('DELETE', foreign)).statusCode, 404)
  const { items: still } = (await story.api('GET', `/api/apps/${other.id}/secrets`)).json()
  assert.equal(still.length, items.length)
})

test('cuts bearer values out of what a host reports of a failure [C15]', async () => {
  const { id } = await story.launch()
  const token = (await exchange(story, await freshCode(story))).json().access_token
  const detail = `The app shows ${token} and ${story.adminToken}.`
  const body = { step: 'handshake', outcome: 'failed', code: 'X', detail }
  assert.ok((await story.api('POST', `/api/launches/${id}/steps`, body)).statusCode < 300)
  const shown = (await story.api('GET', `/api/launches/${id}`)).body
  assert.match(shown, /shows at_… and st_…/)
  for (const value of [token, story.adminToken]) {
    assert.equal(shown.includes(value.slice(4)), false)
    assert.equal(story.service.logText().includes(value), false)
  }
})
