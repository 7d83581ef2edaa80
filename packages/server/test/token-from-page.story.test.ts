// An exchange that a page in a browser sends: refused before anything is spent, in either form, with
// the reason on the launch of its code. A server's exchange of the same code then works. Contract §2.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorize, exchange, freshCode, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const FROM_PAGES: Readonly<Record<string, Record<string, string>>> = {
  'a page of another origin': { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
  'a sandboxed page': { origin: 'null' },
  'a page of a browser without Fetch Metadata': { origin: 'https://app.example' },
  'a page of the own origin': { 'sec-fetch-site': 'same-origin' },
  'a page of the same site': { 'sec-fetch-site': 'same-site' },
}

const FROM_SERVERS: Readonly<Record<string, Record<string, string>>> = {
  'a server without such headers': {},
  'a server with an empty Origin': { origin: '' },
  'the fetch of Node.js': { 'sec-fetch-mode': 'cors' },
  'a person’s own tool': { 'sec-fetch-site': 'none' },
}

for (const [who, headers] of Object.entries(FROM_PAGES)) {
  test(`refuses the exchange of ${who} and leaves the code good`, async () => {
    const code = await freshCode(story)
    const refused = await exchange(story, code, {}, story.app, headers)
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json().error, 'invalid_request')
    assert.match(refused.json().error_description, /page in a browser.*on the app.s server/)
    assert.equal((await exchange(story, code)).statusCode, 200)
  })
}

for (const [who, headers] of Object.entries(FROM_SERVERS)) {
  test(`answers the exchange of ${who}`, async () => {
    const code = await freshCode(story)
    assert.equal((await exchange(story, code, {}, story.app, headers)).statusCode, 200)
  })
}

test('names the page, not the missing secret, to a page without one', async () => {
  const payload = { grant_type: 'authorization_code', code: await freshCode(story) }
  for (const form of [payload, new URLSearchParams(payload).toString()]) {
    const type = typeof form === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
    const headers = { origin: 'https://app.example', 'content-type': type }
    const url = '/app-auth/token'
    const { error_description } = (
      await story.request({ method: 'POST', url, headers, payload: form })
    ).json()
    assert.match(error_description, /page in a browser/)
    assert.doesNotMatch(error_description, /missing/)
  }
})

test('shows the reason on the launch of the code, and on no other', async () => {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const headers = { origin: 'https://app.example' }
  await exchange(story, code, {}, story.app, headers)
  await exchange(story, `${code.slice(0, -4)}0000`, {}, story.app, headers)
  const { steps } = (await story.api('GET', `/api/launches/${id}`)).json()
  const failed = steps.filter(({ outcome }: { outcome: string }) => outcome === 'failed')
  assert.deepEqual(
    failed.map(({ step, code, reason }: Record<string, string>) => [step, code, reason]),
    [['exchange', 'invalid_request', 'exchange_from_page']],
  )
})

/** As a browser asks for a page that sends JSON or an Authorization header. */
const ask = (origin: string, method = 'POST', at = story) =>
  at.request({
    method: 'OPTIONS',
    url: '/app-auth/token',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    },
  })

const failuresOf = async (id: string, at = story) => {
  const { steps } = (await at.api('GET', `/api/launches/${id}`)).json()
  return steps.filter(({ outcome }: { outcome: string }) => outcome === 'failed')
}

test('names a page that asks by OPTIONS on each launch of its origin that waits', async () => {
  const other = await story.registerApp('other')
  const sessionId = await story.openSession()
  const elsewhere = await story.launch({ app: other, sessionId })
  const [one, two, exchanged, unasked] = await Promise.all([1, 2, 3, 4].map(() => story.launch()))
  assert.ok(one && two && exchanged && unasked)
  await authorize(story, elsewhere.launchId, {}, other)
  const codes = []
  for (const { launchId } of [one, two, exchanged]) {
    codes.push((await authorize(story, launchId)).searchParams.get('code') ?? '')
  }
  assert.equal((await exchange(story, codes[2] ?? '')).statusCode, 200)

  const answer = await ask('https://notes.example')
  assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'POST'])
  const isCors = (name: string) => name.startsWith('access-control-')
  assert.deepEqual(Object.keys(answer.headers).filter(isCors), [])
  await ask('https://notes.example')

  for (const { id } of [one, two]) {
    const [failed, ...more] = await failuresOf(id)
    const { step, code, reason, cause } = failed
    const named = [step, code, reason, more.length]
    assert.deepEqual(named, ['exchange', 'invalid_request', 'exchange_from_page', 0])
    assert.match(cause, /^A page at https:\/\/notes\.example .* asked by OPTIONS/)
  }
  for (const { id } of [exchanged, unasked, elsewhere]) assert.deepEqual(await failuresOf(id), [])
  // The code is still good at the server of the app.
  assert.equal((await exchange(story, codes[0] ?? '')).statusCode, 200)
})

test('notes no code older than 30 s, no other method and no other origin', async () => {
  const { id, launchId } = await story.launch()
  await authorize(story, launchId)
  for (const origin of ['null', 'https://elsewhere.example']) await ask(origin)
  await ask('https://notes.example', 'GET')
  story.service.clock.advance(31)
  await ask('https://notes.example')
  assert.deepEqual(await failuresOf(id), [])
})

test('notes no more pages of a network than the token endpoint bears failures', async () => {
  const { id, launchId } = await story.launch()
  await authorize(story, launchId)
  const origin = 'https://unregistered.example'
  for (let asked = 0; asked < 201; asked += 1) assert.equal((await ask(origin)).statusCode, 405)
  assert.equal((await ask('https://notes.example')).statusCode, 405)
  assert.deepEqual(await failuresOf(id), [])
})

test('lets no stranger make a launch look failed in production', async (t) => {
  const production = await startStory({
    CHARTSIDE_ENVIRONMENT: 'production',
    CHARTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8',
    CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  t.after(() => production.close())
  const { id, launchId } = await production.launch()
  await authorize(production, launchId)
  assert.equal((await ask('https://notes.example', 'POST', production)).statusCode, 405)
  assert.deepEqual(await failuresOf(id, production), [])
})
