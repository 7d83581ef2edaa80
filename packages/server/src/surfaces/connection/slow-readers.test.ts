// A client that asks for large answers and does not read them, over a real socket.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { cutSlowReaders } from './slow-readers.ts'

const AFTER_MS = 1500
/** More than the buffers of both sockets take. */
const BODY = 'x'.repeat(32 * 1024 * 1024)

const warnings: unknown[] = []

let server: FastifyInstance
before(async () => {
  server = fastify()
  cutSlowReaders(
    server.server,
    { warn: (...line: readonly unknown[]) => warnings.push(line) },
    () => 'trace-1',
    AFTER_MS,
  )
  server.get('/', async () => BODY)
  await server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => server.close())

const request = () => {
  const { port } = server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return socket
}

const openConnections = () =>
  new Promise<number>((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('cuts a client that does not read its answer [V02]', async () => {
  const socket = request().on('error', () => {})
  await once(socket, 'connect')
  const began = performance.now()
  while ((await openConnections()) > 0) {
    assert.ok(performance.now() - began < 20 * AFTER_MS, 'the connection was not cut')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const line = [{ traceId: 'trace-1' }, 'cut a connection that did not read its answer']
  assert.deepEqual(warnings, [line])
  socket.destroy()
})

/** Other work of the machine can hold a reader for longer than the limit: one try, not each of three. */
const MAX_TRIES = 3

test('serves a client that reads slowly but reads [V02]', async () => {
  let bytes = 0
  for (let tries = 0; bytes < BODY.length && tries < MAX_TRIES; tries += 1)
    bytes = await readSlowly()
  assert.ok(bytes >= BODY.length, `${bytes} bytes`)
})

async function readSlowly(): Promise<number> {
  const socket = request()
  let bytes = 0
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length
    if (bytes >= BODY.length) break
    // Each pause is shorter than the time limit, all of them together are longer.
    if (bytes < 20 * 65_536) await new Promise((resolve) => setTimeout(resolve, AFTER_MS / 15))
  }
  return bytes
}
