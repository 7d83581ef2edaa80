// Any request body reads as an object or as undefined.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from './read-json.ts'

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | null

const post = (body: Body) =>
  new Request('https://app.example/api/session', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)

test('reads the object that the page sent', async () => {
  assert.deepEqual(await readJson(post('{"code":"c","ä":[1]}')), { code: 'c', ä: [1] })
})

for (const [what, body] of [
  ['no body', null],
  ['an empty body', ''],
  ['null', 'null'],
  ['a list', '[{"code":"c"}]'],
  ['text in JSON', '"code"'],
  ['a number', '7'],
  ['half an object', '{"code":'],
  ['a form', 'code=c'],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', new Uint8Array(Buffer.from('{"code":"c"}', 'utf16le'))],
  ['an object that is too large', JSON.stringify({ code: 'x'.repeat(16_384) })],
] as const) {
  test(`gives nothing for ${what}`, async () => {
    assert.equal(await readJson(post(body)), undefined)
  })
}

test('gives nothing for a body that breaks off, and reads no endless one', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  assert.equal(await readJson(post(broken)), undefined)
  let pulled = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(new Uint8Array(4096).fill(32))
    },
  })
  assert.equal(await readJson(post(endless)), undefined)
  assert.ok(pulled < 20)
})

test('applies another size limit', async () => {
  const body = JSON.stringify({ code: 'x'.repeat(20_000) })
  assert.ok(await readJson(post(body), { maxBytes: 32_768 }))
  assert.equal(await readJson(post('{"a":1}'), { maxBytes: 6 }), undefined)
})

test('throws when the app has read the body before', async () => {
  const request = post('{}')
  await request.text()
  await assert.rejects(readJson(request), /read before/)
})
