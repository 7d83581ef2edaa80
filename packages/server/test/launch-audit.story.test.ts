// The steps of a launch in the audit trail: an event is stored exactly if its step happened, in the
// same write. Contract §4 (audit), security P02, P06.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AuditEvent } from '../src/audit/audit.ts'
import { listEvents } from '../src/audit/audit-trail.ts'
import { authorize, exchange, freshCode, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())
// Events of one millisecond have no order.
beforeEach(() => story.service.clock.advance(1))

async function eventsOf(launchId: string): Promise<AuditEvent[]> {
  const { db } = story.service.service
  const page = { accountId: story.accountId, before: 'evt_~', limit: 200 }
  const events = await listEvents(db, page)
  return events.filter((event) => event.launchId === launchId).reverse()
}

const steps = async (launchId: string) =>
  (await eventsOf(launchId)).map(({ action, outcome, detail }) =>
    [action, outcome, detail.reason].filter(Boolean).join(' '),
  )

test('audits launch, authorize and exchange, each with its actor', async () => {
  const { id, launchId } = await story.launch()
  story.service.clock.advance(1)
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  story.service.clock.advance(1)
  const answer = await exchange(story, code)
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(({ action, actor, target, outcome }) => [
      action,
      actor.slice(0, 4),
      target,
      outcome,
    ]),
    [
      ['launch', 'usr_', story.app.id, 'ok'],
      ['authorize', 'usr_', story.app.id, 'ok'],
      ['exchange', 'cli_', story.app.id, 'ok'],
    ],
  )
  const text = JSON.stringify(events)
  for (const secret of [launchId, code, answer.json().access_token, story.app.secret]) {
    assert.equal(text.includes(secret), false)
  }
  assert.ok(
    events.every(({ ip, accountId }) => ip === '127.0.0.1' && accountId === story.accountId),
  )
})

test('audits one exchange and at most 99 replays of 100 exchanges of one code', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  await Promise.all(Array.from({ length: 100 }, () => exchange(story, code)))
  const all = await steps(id)
  assert.equal(all.filter((step) => step === 'exchange ok').length, 1)
  const replays = all.filter((step) => step === 'replay refused code_replayed')
  // About as many as the timeline keeps.
  assert.ok(replays.length > 0 && replays.length < 100, `${replays.length}`)
})

test('audits a wrong verifier, redirect URI or secret as refused', async () => {
  for (const [changes, reason] of [
    [{ redirect_uri: 'https://wrong.example/' }, 'redirect_uri_mismatch'],
    [{ client_secret: 'cs_wrong' }, 'secret_wrong'],
  ] as const) {
    const { id, launchId } = await story.launch()
    const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
    story.service.clock.advance(1)
    await exchange(story, code, changes)
    const [last = ''] = (await steps(id)).slice(-1)
    assert.match(last, /^exchange refused /)
    assert.ok(last.includes(reason), last)
    assert.equal((await steps(id)).includes('exchange ok'), false)
  }
})

test('audits a refused authorize of a launch, and none without a launch', async () => {
  const { id, launchId } = await story.launch()
  story.service.clock.advance(1)
  await authorize(story, launchId, { scope: 'openid' })
  assert.match((await steps(id)).at(-1) ?? '', /^authorize refused /)
  const page = { accountId: story.accountId, before: 'evt_~', limit: 200 }
  const count = async () => (await listEvents(story.service.service.db, page)).length
  const before = await count()
  await authorize(story, `lnch_${'0'.repeat(22)}${'A'.repeat(43)}`)
  assert.equal(await count(), before)
})

test('audits a revocation once, however often it is requested', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const token = (await exchange(story, code)).json().access_token
  for (let i = 0; i < 3; i++) {
    story.service.clock.advance(1)
    const payload = { token, client_id: story.app.clientId, client_secret: story.app.secret }
    await story.request({ method: 'POST', url: '/app-auth/revoke', payload })
  }
  assert.equal((await steps(id)).filter((step) => step === 'revoke ok').length, 1)
})

test('audits no launch that an ended sign-in refused', async () => {
  const code = await freshCode(story)
  assert.ok(code)
  const headers = { authorization: `Bearer ${story.adminToken}` }
  await story.request({ method: 'POST', url: '/auth/sign-out', headers })
  const page = { accountId: story.accountId, before: 'evt_~', limit: 200 }
  const launches = async () =>
    (await listEvents(story.service.service.db, page)).filter(({ action }) => action === 'launch')
  const before = (await launches()).length
  const url = `/api/sessions/${story.sessionId}/launches`
  const payload = { appId: story.app.id, kind: 'ui' }
  const refused = await story.request({ method: 'POST', url, headers, payload })
  assert.equal(refused.statusCode, 401)
  assert.equal((await launches()).length, before)
})
