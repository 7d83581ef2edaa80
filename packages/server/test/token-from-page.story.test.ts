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
