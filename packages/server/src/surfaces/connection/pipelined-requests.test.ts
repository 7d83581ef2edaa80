// Requests that a client sends before it has an answer, over real sockets. RFC 9112 9.3.2, security V01, V02.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { connectionTurns } from './pipelined-requests.ts'

/** More than the buffers of both sockets take. */
const LARGE = 'x'.repeat(8 * 1024 * 1024)

let server: FastifyInstance
let begun: string[] = []
let running = 0
let mostRunning = 0
before(async () => {
  server = fastify()
  const turns = connectionTurns()
  server.addHook('onRequest', ({ raw, id }, reply, done) =>
    turns.take(raw.socket, reply.raw, id, done),
  )
  server.all<{ Params: { name: string }; Querystring: { ms?: string } }>(
    '/:name',
    async ({ params: { name }, query: { ms = '0' }, body }) => {
      begun.push(name)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await sleep(Number(ms))
      running -= 1
      return name === 'large' ? LARGE : { name, body }
    },
  )
  await server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => server.close())
beforeEach(() => {
  begun = []
  mostRunning = 0
})

const open = () => connect((server.server.address() as AddressInfo).port, '127.0.0.1')
const get = (path: string) => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (name: string, body: string) =>
  `POST /${name} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Until the text has `count` answers. */
async function readAnswers(socket: Socket, count: number): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.split('HTTP/1.1 200').length > count) break
  }
  return text
}

test('runs one request of a connection at a time, and answers in order [V01]', async () => {
  const socket = open()
  socket.write(get('a?ms=30') + post('b', '{"n":1}') + get('c'))
  const text = await readAnswers(socket, 3)
  assert.deepEqual(begun, ['a', 'b', 'c'])
  assert.equal(mostRunning, 1)
  assert.ok(text.indexOf('"a"') < text.indexOf('"b"') && text.indexOf('"b"') < text.indexOf('"c"'))
  assert.ok(text.includes('{"n":1}'), 'a body that came ahead is there')
})

test('answers five hundred requests that were sent at once [V01]', async () => {
  const socket = open()
  const names = Array.from({ length: 500 }, (_, i) => `n${i}`)
  // More than the server reads at once, so that it pauses and reads on, also within a body.
  const padding = `{"x":"${'x'.repeat(400)}"}`
  socket.write(names.map((name, i) => (i % 2 ? post(name, padding) : get(name))).join(''))
  await readAnswers(socket, names.length)
  assert.deepEqual(begun, names)
  assert.equal(mostRunning, 1)
})

test('works on no further request of a client that reads nothing [V02]', async () => {
  const socket = open()
  socket.pause()
  socket.write(get('large').repeat(60))
  await sleep(300)
  assert.equal(begun.length, 1)
  socket.destroy()
  await sleep(50)
  assert.equal(begun.length, 1, 'what waited on a closed connection never begins')
})

test('a slow request of one connection holds up no other connection [V01]', async () => {
  const slow = open()
  slow.write(get('slow?ms=300') + get('after'))
  await once(slow, 'connect')
  const other = open()
  const began = performance.now()
  other.write(get('other'))
  await readAnswers(other, 1)
  assert.ok(performance.now() - began < 250)
  await readAnswers(slow, 2)
})

test('reads a few requests ahead of their turn, and no more of the connection [V01]', async () => {
  const connected = once(server.server, 'connection')
  const socket = open()
  const [accepted] = (await connected) as [Socket]
  const ahead = get('next').repeat(20_000)
  socket.write(get('first?ms=3000') + ahead)
  await sleep(300)
  assert.deepEqual(begun, ['first'])
  assert.ok(accepted.bytesRead < ahead.length / 4, `${accepted.bytesRead} bytes were read`)
  socket.destroy()
})
