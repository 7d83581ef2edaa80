// Which answers of a name server end a proof: a real resolver asks a server on loopback.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { txtLookup } from './txt-lookup.ts'

const server = createSocket('udp4')
let lookup: ReturnType<typeof txtLookup>
before(async () => {
  server.on('message', (question, { port }) => {
    const answer = answerTo(question)
    if (answer) server.send(answer, port, '127.0.0.1')
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  lookup = txtLookup({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs: 200 })
})
after(() => server.close())

const NXDOMAIN = 3
const SERVFAIL = 2

/** RFC 1035 4: the question again, and for `two` a record of two parts. */
function answerTo(question: Buffer): Buffer | undefined {
  const first = question.subarray(13, 13 + (question[12] ?? 0)).toString()
  if (first === 'silent') return undefined
  const codes: Record<string, number> = { none: NXDOMAIN, broken: SERVFAIL }
  const end = question.indexOf(0, 12) + 5
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (codes[first] ?? 0), 2)
  header.writeUInt16BE(first === 'two' ? 1 : 0, 6)
  header.fill(0, 8)
  const parts = ['chartside-', 'domain=Jd0v'].map((part) => Buffer.from(part))
  const text = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]))
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length])
  const answers = first === 'two' ? [record, text] : []
  return Buffer.concat([header, question.subarray(12, end), ...answers])
}

test('joins the parts of a record', async () => {
  assert.deepEqual(await lookup('two.example'), ['chartside-domain=Jd0v'])
})

test('tells a name without a record from name servers that say nothing', async () => {
  assert.deepEqual(await lookup('none.example'), [], 'no such name')
  assert.deepEqual(await lookup('empty.example'), [], 'a name without a text')
  assert.equal(await lookup('broken.example'), 'unreachable')
  assert.equal(await lookup('silent.example'), 'unreachable')
})

test('ends with the node', async () => {
  const abort = new AbortController()
  const asked = lookup('silent.example', abort.signal)
  abort.abort()
  assert.equal(await asked, 'unreachable')
})
