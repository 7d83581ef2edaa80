// The lasting address of the SDK script, which the npm package's loader asks for. The immutable
// addresses and the manifest are in metadata.story.test.ts. Contract §5, security H06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, startStory } from './story.ts'
import { HOST_ORIGIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const get = (url: string, headers = {}) => story.request({ url, headers })

for (const [file, field] of [
  ['sdk.js', 'url'],
  ['sdk.mjs', 'moduleUrl'],
] as const) {
  test(`/sdk/v1/${file} is the script of the manifest, cached five minutes [H06]`, async () => {
    const newest = await get(`/sdk/v1/${file}`, { origin: 'https://app.example' })
    const manifest = (await get('/sdk/manifest.json')).json()
    assert.equal(newest.statusCode, 200)
    assert.equal(newest.body, (await get(new URL(manifest[field]).pathname)).body)
    assert.ok(newest.body.includes(HOST_ORIGIN), 'the hosts are written into the script')
    assert.equal(newest.headers['cache-control'], 'public, max-age=300')
    assert.equal(newest.headers['access-control-allow-origin'], '*')
    assert.equal(newest.headers['cross-origin-resource-policy'], 'cross-origin')
    assert.match(String(newest.headers['content-type']), /^text\/javascript/)
  })
}

test('answers 304 to a browser that has the newest script', async () => {
  const { etag } = (await get('/sdk/v1/sdk.js')).headers
  const again = await get('/sdk/v1/sdk.js', { 'if-none-match': etag })
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
  assert.equal((await get('/sdk/v1/sdk.js', { 'if-none-match': '"old"' })).statusCode, 200)
})

test('answers 404 for another major version and for another file', async () => {
  for (const url of ['/sdk/v0/sdk.js', '/sdk/v2/sdk.js', '/sdk/v1/other.js', '/sdk/1/sdk.js']) {
    const answer = await get(url)
    assert.equal(answer.statusCode, 404, url)
    assert.match(answer.body, /manifest\.json/)
  }
})
