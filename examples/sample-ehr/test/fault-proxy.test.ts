// The faults that the sandbox injects between an app and the token endpoint, and none while no
// fault is on. Spec §4.2, §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ExchangeRequest, FaultProxy } from '../src/fault-proxy.ts'
import { FAULTS, findFault, isExchangeFault } from '../src/faults.ts'

const LAUNCH = `lau_${'0'.repeat(22)}`
const CODE = `code_${'0'.repeat(22)}${'A'.repeat(43)}`
const FIELDS = { grant_type: 'authorization_code', code: CODE, client_secret: 'cs_1' }
const BODY = JSON.stringify(FIELDS)

const json = (body = BODY): ExchangeRequest => ({
  contentType: 'application/json',
  authorization: undefined,
  body,
})
const form = (fields: Record<string, string>, authorization?: string): ExchangeRequest => ({
  contentType: 'application/x-www-form-urlencoded',
  authorization,
  body: new URLSearchParams(fields).toString(),
})
const basic = (password: string): string =>
  `Basic ${Buffer.from(`cli_1:${password}`).toString('base64')}`

function createProxy(slowMs?: number) {
  const sent: string[] = []
  const headers: Headers[] = []
  const made = new FaultProxy({
    tokenUrl: 'http://service.invalid/app-auth/token',
    findSession: async (launch) => (launch === LAUNCH ? 'ses_1' : 'ses_2'),
    fetch: async (_url, init) => {
      sent.push(String(init?.body))
      headers.push(new Headers(init?.headers))
      return Response.json({ call: sent.length }, { status: sent.length === 1 ? 200 : 400 })
    },
    ...(slowMs === undefined ? {} : { slowMs }),
  })
  return { made, sent, headers }
}

test('forwards an exchange and its reply unchanged without a fault', async () => {
  const { made, sent } = createProxy()
  assert.deepEqual(await made.exchange(json()), { status: 200, body: '{"call":1}' })
  assert.deepEqual(sent, [BODY])
})

test('sends the same code twice and returns the second reply', async () => {
  const { made, sent } = createProxy()
  made.switch('ses_1', 'code-used-twice')
  assert.equal((await made.exchange(json())).status, 400)
  assert.deepEqual(sent, [BODY, BODY])
})

test('changes the secret and nothing else', async () => {
  const { made, sent } = createProxy()
  made.switch('ses_1', 'wrong-secret')
  await made.exchange(json())
  const { client_secret: secret, ...rest } = JSON.parse(sent[0] ?? '{}')
  assert.notEqual(secret, 'cs_1')
  assert.deepEqual(rest, { grant_type: 'authorization_code', code: CODE })
})

test('forwards a form with its secret in the body or by HTTP Basic', async () => {
  const { made, sent, headers } = createProxy()
  const { client_secret: _, ...withoutSecret } = FIELDS
  await made.exchange(form(withoutSecret, basic('cs_1')))
  assert.equal(sent[0], new URLSearchParams(withoutSecret).toString())
  assert.equal(headers[0]?.get('content-type'), 'application/x-www-form-urlencoded')
  assert.equal(headers[0]?.get('authorization'), basic('cs_1'))
})

test('changes the secret of a form, in the body or in HTTP Basic', async () => {
  const { made, sent, headers } = createProxy()
  made.switch('ses_1', 'wrong-secret')
  await made.exchange(form(FIELDS))
  const inBody = new URLSearchParams(sent[0])
  assert.notEqual(inBody.get('client_secret'), 'cs_1')
  assert.equal(inBody.get('code'), CODE)
  await made.exchange(form({ code: CODE }, basic('cs_1')))
  assert.equal(sent[1], `code=${CODE}`)
  const [client, password] = atob(headers[1]?.get('authorization')?.slice(6) ?? '').split(':')
  assert.equal(client, 'cli_1')
  assert.notEqual(password, 'cs_1')
})

test('leaves the exchanges of other EHR sessions alone, and of codes it cannot read', async () => {
  const { made, sent } = createProxy()
  made.switch('ses_1', 'service-down')
  const other = JSON.stringify({ ...FIELDS, code: CODE.replaceAll('0', '1') })
  for (const body of [other, JSON.stringify({ code: 5 })]) await made.exchange(json(body))
  assert.equal(sent.length, 2)
  assert.equal(made.switch('ses_1', null), 'service-down')
  await made.exchange(json())
  assert.equal(sent.length, 3)
})

test('simulates an unavailable service without using the code', async () => {
  const { made, sent } = createProxy()
  made.switch('ses_1', 'service-down')
  const { status, body } = await made.exchange(json())
  assert.equal(status, 503)
  assert.equal(JSON.parse(body).error, 'temporarily_unavailable')
  assert.deepEqual(sent, [])
})

test('waits before it forwards a slow exchange', async () => {
  const { made } = createProxy(30)
  made.switch('ses_1', 'slow-exchange')
  const started = performance.now()
  await made.exchange(json())
  assert.ok(performance.now() - started >= 25)
})

test('finds every fault by its name, and no other', () => {
  assert.equal(new Set(FAULTS.map(({ name }) => name)).size, FAULTS.length)
  assert.equal(findFault('sign-out')?.kind, 'page')
  assert.equal(findFault('no-such-fault'), undefined)
  assert.equal(isExchangeFault('sign-out'), false)
  assert.equal(isExchangeFault('wrong-secret'), true)
})
