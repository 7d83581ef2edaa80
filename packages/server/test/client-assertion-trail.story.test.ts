// What an app that authenticates with a private key leaves behind: nothing of a request that authenticates
// twice, the reason of a refusal for its owner, method and key in the trail, and no used assertion for longer
// than needed. Security T03, C08, P06, P08.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { backgroundJobs } from '../src/jobs/jobs.ts'
import { ASSERTION_TYPE } from '../src/token/client-assertion.ts'
import { byAssertion } from './app-keys.ts'
import { type AssertionStory, startAssertionStory } from './assertion-story.ts'
import { authorize, exchange, freshCode } from './story.ts'

let at: AssertionStory
before(async () => {
  at = await startAssertionStory()
})
after(() => at.close())

test('refuses two ways to authenticate in one request [T03]', async () => {
  const code = await freshCode(at.story)
  const { clientId, secret } = at.story.app
  const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  const both = [
    await exchange(at.story, code, { ...byAssertion(await at.sign(at.ec)), client_secret: secret }),
    await exchange(at.story, code, byAssertion(await at.sign(at.ec)), at.story.app, {
      authorization: basic,
    }),
    await exchange(at.story, code, { client_assertion_type: ASSERTION_TYPE }),
  ]
  for (const answer of both) {
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_request'])
  }
  const url = `/app-auth/token?client_assertion=${await at.sign(at.ec)}`
  const answer = await at.story.request({ method: 'POST', url, payload: { code } })
  assert.match(answer.json().error_description, /^Never send client_assertion in the URL/)
  // They named the code and its client. [V38]
  assert.equal((await exchange(at.story, code)).json().error, 'invalid_grant')
})

test('burns the code of a refused assertion, and tells the owner why [C08, P06]', async () => {
  const reasons = [
    ['assertion_audience', { claims: { aud: 'https://other.example' } }],
    ['assertion_expired', { claims: { exp: 1 } }],
    ['assertion_key', { header: { kid: 'unknown' } }],
    ['assertion_malformed', { claims: { jti: undefined } }],
  ] as const
  for (const [reason, changes] of reasons) {
    const launch = await at.story.launch()
    const code = await freshCodeOf(launch.launchId)
    const assertion = await at.sign(at.ec, changes)
    assert.equal((await exchange(at.story, code, byAssertion(assertion))).statusCode, 401)
    assert.equal((await exchange(at.story, code)).json().error, 'invalid_grant')
    const { steps } = (await at.story.api('GET', `/api/launches/${launch.id}`)).json()
    const failed = steps.find((step: { reason?: string }) => step.reason === reason)
    assert.equal(failed?.client.method, 'private_key_jwt', reason)
    assert.equal(failed.client.keyId, reason === 'assertion_key' ? 'unknown' : at.ec.kid)
    assert.equal(JSON.stringify(steps).includes(assertion.slice(0, 40)), false, 'no assertion')
  }
})

const freshCodeOf = async (launchId: string) =>
  (await authorize(at.story, launchId)).searchParams.get('code') ?? ''

test('names method and kid in the trail, and the key on the launch [P06]', async () => {
  const launch = await at.story.launch()
  const code = await freshCodeOf(launch.launchId)
  assert.equal((await exchange(at.story, code, byAssertion(await at.sign(at.rsa)))).statusCode, 200)
  const { steps } = (await at.story.api('GET', `/api/launches/${launch.id}`)).json()
  const { client } = steps.find(({ step }: { step: string }) => step === 'exchange')
  assert.deepEqual(
    [client.method, client.keyId, client.secret],
    ['private_key_jwt', 'rsa-1', undefined],
  )
  const url = `/api/accounts/${at.story.accountId}/audit-events?about=${launch.id}`
  const { items } = (await at.story.api('GET', url)).json()
  const event = items.find(({ action }: { action: string }) => action === 'exchange')
  assert.deepEqual([event.detail.method, event.detail.kid], ['private_key_jwt', 'rsa-1'])
})

test('removes the used assertions whose time is over, and no other', async () => {
  const { db } = at.story.service.service
  const count = async () => (await db.read(sql`SELECT jti_hash FROM client_assertions`)).length
  const job = backgroundJobs(at.story.service.service).find(
    ({ name }) => name === 'client assertions',
  )
  assert.ok(job?.deletes)
  const before = await count()
  assert.ok(before > 0)
  at.story.service.clock.advance(100)
  await job.run(new AbortController().signal)
  assert.ok((await count()) > 0, 'those of five minutes')
  at.story.service.clock.advance(400)
  await job.run(new AbortController().signal)
  assert.equal(await count(), 0)
})
