// The faults that the sandbox plays between an app and the token endpoint, and that it plays none
// unless one is switched on. Spec §4.2, §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAULTS, findFault, isExchangeFault } from '../src/faults.ts'
import { Wire } from '../src/wire.ts'

const BODY = JSON.stringify({ grant_type: 'authorization_code', code: 'c', client_secret: 'cs_1' })

function wire(slowMs?: number) {
  const sent: string[] = []
  const made = new Wire({
    tokenUrl: 'http://service.invalid/app-auth/token',
    fetch: async (_url, init) => {
      sent.push(String(init?.body))
      return Response.json({ call: sent.length }, { status: sent.length === 1 ? 200 : 400 })
    },
    ...(slowMs === undefined ? {} : { slowMs }),
  })
  return { made, sent }
}

test('hands an exchange and its answer on unchanged while no fault is on', async () => {
  const { made, sent } = wire()
  assert.deepEqual(await made.exchange(BODY), { status: 200, body: '{"call":1}' })
  assert.deepEqual(sent, [BODY])
})

test('sends the same code twice and gives the app the second answer', async () => {
  const { made, sent } = wire()
  made.fault = 'code-used-twice'
  assert.equal((await made.exchange(BODY)).status, 400)
  assert.deepEqual(sent, [BODY, BODY])
})

test('changes the secret and nothing else', async () => {
  const { made, sent } = wire()
  made.fault = 'wrong-secret'
  await made.exchange(BODY)
  const { client_secret: secret, ...rest } = JSON.parse(sent[0] ?? '{}')
  assert.notEqual(secret, 'cs_1')
  assert.deepEqual(rest, { grant_type: 'authorization_code', code: 'c' })
})

test('plays an unavailable service without spending the code', async () => {
  const { made, sent } = wire()
  made.fault = 'service-down'
  const { status, body } = await made.exchange(BODY)
  assert.equal(status, 503)
  assert.equal(JSON.parse(body).error, 'temporarily_unavailable')
  assert.deepEqual(sent, [])
})

test('waits before it hands a slow exchange on', async () => {
  const { made } = wire(30)
  made.fault = 'slow-exchange'
  const started = performance.now()
  await made.exchange(BODY)
  assert.ok(performance.now() - started >= 25)
})

test('knows every fault by its name, and no other', () => {
  assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length)
  assert.equal(findFault('sign-out')?.kind, 'page')
  assert.equal(findFault('no-such-fault'), undefined)
  assert.equal(isExchangeFault('sign-out'), false)
  assert.equal(isExchangeFault('wrong-secret'), true)
})
