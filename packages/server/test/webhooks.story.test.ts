// Webhooks of vendors: each event is written with the change that it reports, signed as the package standardwebhooks
// verifies it, sent again until it is taken or given up, and sent nowhere where a pre-flight may not go. The server
// of the vendor is a real one on this machine. Standard Webhooks 1.0; decision 74.
import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { warnOfExpiringSecrets } from '../src/apps/secret-expiry.ts'
import { sql } from '../src/db/sql.ts'
import { partOfId } from '../src/kernel/partitions.ts'
import { RETRY_MS } from '../src/outbox/outbox.ts'
import { noticeFailingLaunches } from '../src/webhooks/failing-launches.ts'
import { buildBody, buildHeaders } from '../src/webhooks/webhook.ts'
import { webhookDelivery } from '../src/webhooks/webhook-delivery.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}

let story: Story
let receiver: Server
let origin: string
let webhooks: string
let hook: { readonly id: string; readonly secret: string }
let received: Received[] = []
let answer: (response: ServerResponse) => void

before(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    received.push({ headers, body: Buffer.concat(chunks).toString() })
    answer(response)
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  origin = `http://localhost:${(receiver.address() as AddressInfo).port}`
  story = await startStory()
  beginPeople(story)
  webhooks = `/api/accounts/${story.accountId}/webhooks`
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await story.close()
})
beforeEach(async () => {
  answer = (response) => response.writeHead(204).end()
  if (hook) await story.api('DELETE', `${webhooks}/${hook.id}`)
  hook = await register(`${origin}/events`)
  received = []
})

async function register(url: string) {
  const made = await story.api('POST', webhooks, { url })
  assert.equal(made.statusCode, 201, made.body)
  return made.json()
}

/** Attempts for what is due now, of one node. */
async function deliver(): Promise<void> {
  const delivery = webhookDelivery(story.service.service)
  while (await delivery.begin(new AbortController().signal)) await delivery.settled()
  await delivery.settled()
}

/** The events that came, without those of another type. */
async function arrived(type: string) {
  story.service.clock.advance(1)
  await deliver()
  const events = received.map(({ body }) => JSON.parse(body))
  return events.filter((event) => event.type === type).map(({ data }) => data)
}

const setEnabled = async (enabled: boolean, appId = story.app.id) => {
  story.service.clock.advance(1)
  const changed = await story.api('PATCH', `/api/apps/${appId}`, { enabled })
  assert.equal(changed.statusCode, 200, changed.body)
}
const deliveries = async (id = hook.id) =>
  (await story.api('GET', `${webhooks}/${id}/deliveries`)).json().items

/** As a vendor checks it; the package takes the time of this machine, so the request is signed as of now. */
function verify({ headers, body }: Received, secret: string): unknown {
  const own = new Webhook(secret)
  const sentAt = Number(headers['webhook-timestamp']) * 1000
  const signature = own.sign(headers['webhook-id'] ?? '', new Date(sentAt), body)
  assert.ok(headers['webhook-signature']?.split(' ').includes(signature), 'signed by this secret')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return own.verify(body, { ...buildHeaders(headers['webhook-id'] ?? '', body, [key], Date.now()) })
}

test('the package standardwebhooks verifies an event; a changed one is refused', async () => {
  await setEnabled(false)
  await deliver()
  const [only, ...more] = received
  assert.equal(more.length, 0)
  assert.ok(only)
  assert.match(only.headers['webhook-id'] ?? '', /^evt_[0-9a-z]+$/)
  assert.equal(only.headers['content-type'], 'application/json')
  const event = verify(only, hook.secret) as { type: string; data: object }
  assert.deepEqual(event.data, { appId: story.app.id, disabledBy: 'platform' })
  assert.equal(event.type, 'app.disabled')
  assert.throws(() => verify({ ...only, body: `${only.body} ` }, hook.secret))
  await setEnabled(true)
  assert.deepEqual(await arrived('app.enabled'), [{ appId: story.app.id }])
  await story.api('PATCH', `/api/apps/${story.app.id}`, { name: 'Notes' })
  await deliver()
  assert.equal(received.length, 2, 'no event of another change')
})

test('of two administrators who disable an app at once, one event goes out', async () => {
  story.service.clock.advance(1)
  const off = () => story.api('PATCH', `/api/apps/${story.app.id}`, { enabled: false })
  await Promise.all([off(), off(), story.api('PATCH', `/api/apps/${story.app.id}`, { name: 'N' })])
  assert.equal((await arrived('app.disabled')).length, 1)
  await setEnabled(true)
})

test('a new secret signs at once, the one before for a day more', async () => {
  const changed = await story.api('POST', `${webhooks}/${hook.id}/secret`)
  assert.equal(changed.statusCode, 201, changed.body)
  const { secret } = changed.json()
  await setEnabled(false)
  await deliver()
  assert.ok(received[0])
  verify(received[0], secret)
  verify(received[0], hook.secret)
  story.service.clock.advance(24 * 3600)
  await setEnabled(true)
  await deliver()
  assert.equal(received[1]?.headers['webhook-signature']?.split(' ').length, 1)
  verify(received[1] as Received, secret)
  const [shown] = (await story.api('GET', webhooks)).json().items
  assert.equal(shown.previousSecretUntil, null)
})

test('secrets of webhooks are sealed, shown once, and an account has three [K01]', async () => {
  const more = [1, 2, 3].map((n) => story.api('POST', webhooks, { url: `${origin}/${n}` }))
  const made = await Promise.all(more)
  assert.deepEqual(made.map(({ statusCode }) => statusCode).sort(), [201, 201, 409])
  const { db } = story.service.service
  const rows = JSON.stringify(await db.read(sql`SELECT * FROM webhooks`))
  const list = await story.api('GET', webhooks)
  const trail = await story.api('GET', `/api/accounts/${story.accountId}/audit-events`)
  const bytes = hook.secret.slice('whsec_'.length)
  for (const text of [rows, list.body, trail.body, story.service.logText()]) {
    assert.ok(!text.includes(bytes) && !text.includes('whsec_'))
  }
  assert.match(trail.body, /createWebhook/)
  for (const one of made.filter(({ statusCode }) => statusCode === 201)) {
    await story.api('DELETE', `${webhooks}/${one.json().id}`)
  }
  const [stranger, provider] = [
    await person(await otherAccount(), 'developer'),
    await person(story.accountId, 'provider'),
  ]
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${hook.id}/deliveries`],
    ['POST', `/${hook.id}/secret`],
    ['POST', `/${hook.id}/test`],
    ['DELETE', `/${hook.id}`],
  ] as const) {
    assert.equal((await stranger.api(method, webhooks + path)).statusCode, 404, path)
    assert.equal((await provider.api(method, webhooks + path)).statusCode, 403, path)
  }
  const own = `/api/accounts/${await otherAccount()}/webhooks/${hook.id}/secret`
  assert.equal((await story.api('POST', own)).statusCode, 404)
})

test('sends an event again with the same id, then gives up and says so in the trail', async () => {
  answer = (response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end()
  await setEnabled(false)
  await deliver()
  for (const delayMs of RETRY_MS) {
    story.service.clock.advance((delayMs * 1.21) / 1000)
    await deliver()
  }
  assert.equal(received.length, RETRY_MS.length + 1)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  const [shown] = await deliveries()
  assert.deepEqual([shown.outcome, shown.status, shown.nextAttemptAt], ['given_up', 302, null])
  const trail = await story.api('GET', `/api/accounts/${story.accountId}/audit-events`)
  const events = trail.json().items as { action: string; target: string; detail: object }[]
  const event = events.find(({ action }) => action === 'sendWebhookEvent')
  assert.equal(event?.target, hook.id)
  await setEnabled(true)
})

test('410 switches a webhook off, and a test that is taken switches it on', async () => {
  answer = (response) => response.writeHead(410).end()
  await setEnabled(false)
  await deliver()
  await setEnabled(true)
  await deliver()
  assert.equal(received.length, 1)
  assert.ok((await story.api('GET', webhooks)).json().items[0].switchedOffAt)
  answer = (response) => response.writeHead(200).end('thanks')
  const test = await story.api('POST', `${webhooks}/${hook.id}/test`)
  assert.deepEqual([test.json().outcome, test.json().answer], ['delivered', 'thanks'])
  verify(received[1] as Received, hook.secret)
  await setEnabled(false)
  assert.equal((await arrived('app.disabled')).length, 2)
  await setEnabled(true)
})

test('an address of an internal network gets no event [A18]', async () => {
  for (const url of ['http://notes.example/x', 'https://u:p@notes.example/', 'notes.example']) {
    assert.equal((await story.api('POST', webhooks, { url })).statusCode, 400, url)
  }
  const inside = await register('https://10.0.0.7/events')
  const test = await story.api('POST', `${webhooks}/${inside.id}/test`)
  assert.deepEqual([test.json().outcome, test.json().answer], ['failed', 'no_public_address'])
  await story.api('DELETE', `${webhooks}/${inside.id}`)
})

const entry = (appId: string) => ({ appId, autoLaunch: false })
const EHRS = [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'] }]

test('a vendor learns which practices get its app, whatever puts it there', async () => {
  const { api, accountId, app } = story
  const post = async (url: string, body: object) => (await api('POST', url, body)).json()
  const collection = await post('/api/collections', { accountId, name: 'Webhooks' })
  const publish = async (...apps: string[]) => {
    const url = `/api/collections/${collection.id}`
    await api('PATCH', url, { draft: { ehrs: EHRS, apps: apps.map(entry) } })
    const versions = [1, 2, 3].map(() => api('POST', `${url}/versions`, {}))
    for (const { statusCode } of await Promise.all(versions)) assert.equal(statusCode, 201)
  }
  await publish(app.id)
  const choice = { collection: { id: collection.id, version: 'latest' } }
  const { id: practiceId } = await post('/api/accounts', { name: 'Northgate', ...choice })
  const pinned = await post('/api/accounts', { name: 'Pinned' })
  const pin = { collection: { id: collection.id, version: 1 } }
  await api('PATCH', `/api/accounts/${pinned.id}`, pin)
  const both = [
    { appId: app.id, practiceId },
    { appId: app.id, practiceId: pinned.id },
  ]
  assert.deepEqual(await arrived('practice.added'), both)
  await publish()
  assert.deepEqual(await arrived('practice.removed'), both.slice(0, 1), 'the pinned one stays')
  await publish(app.id)
  assert.equal((await arrived('practice.added')).length, 3, 'of three publishes at once, one')
  await api('PATCH', `/api/accounts/${practiceId}`, { name: 'North' })
  await api('DELETE', `/api/accounts/${practiceId}`)
  await api('PATCH', `/api/accounts/${pinned.id}`, { collection: null })
  assert.equal((await arrived('practice.removed')).length, 3)
  assert.equal(received.length, 6)
})

test('a vendor learns of an expiring secret at 14, 7 and 1 days', async () => {
  const day = 24 * 3600
  const expiresAt = new Date(story.service.clock() + 13 * day * 1000).toISOString()
  const url = `/api/apps/${story.app.id}/secrets`
  const { id: secretId } = (await story.api('POST', url, { expiresAt })).json()
  for (let days = 0; days < 13; days++) {
    await warnOfExpiringSecrets(story.service.service)
    story.service.clock.advance(day + 1)
  }
  const data = { appId: story.app.id, secretId, expiresAt }
  assert.deepEqual(await arrived('secret.expiring'), [data, data, data])
})

test('a vendor learns once an hour that launches of its app fail', async () => {
  const { service, clock } = story.service
  const app = await story.registerApp('failing')
  const sessionId = await story.openSession()
  const look = async () => {
    clock.advance(61)
    return noticeFailingLaunches(service)
  }
  for (let i = 0; i < 20; i++) {
    const { id } = await story.launch({ app, sessionId })
    const set = i < 3 ? sql`failure_count = 1` : sql`context_at = ${clock()}`
    await service.db.write(
      sql`UPDATE launches SET ${set} WHERE id = ${id} AND part = ${partOfId(id)}`,
    )
  }
  assert.equal(await look(), 1)
  assert.equal(await look(), 0, 'once an hour')
  const [data] = await arrived('launches.failing')
  assert.deepEqual([data.appId, data.failed, data.launches], [app.id, 3, 20])
})

test('an event has identifiers, times and counts only', () => {
  const body = buildBody({
    ...{ id: 'evt_x', type: 'practice.added', appId: 'app_1', practiceId: 'acc_1' },
    ...{ detail: {}, createdAt: 0 },
  })
  assert.deepEqual(JSON.parse(body), {
    ...{ type: 'practice.added', timestamp: '1970-01-01T00:00:00.000Z' },
    data: { appId: 'app_1', practiceId: 'acc_1' },
  })
})
