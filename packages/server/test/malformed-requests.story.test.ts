// What the HTTP parser refuses before a route is known, over raw sockets: each answer has our own shape,
// with a code and a trace id that is in the log, and the caller's bytes are in neither.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { ERROR_SCHEMAS } from '../src/meta/openapi-errors.ts'
import { startTestService, type TestService } from './test-service.ts'

let service: TestService
let port: number
before(async () => {
  service = await startTestService()
  await service.server.listen({ port: 0, host: '127.0.0.1' })
  port = (service.server.server.address() as AddressInfo).port
})
after(() => service.close())

async function send(text: string) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(text, 'latin1')
  let received = ''
  for await (const chunk of socket) received += chunk
  const [head = '', body = ''] = received.split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body: JSON.parse(body) }
}

const HUGE = `x-secret: ${'s3cret'.repeat(4000)}\r\n`
const BROKEN_CHUNKS = 'transfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\nzz\r\n'

const API: [string, string, number, string][] = [
  [
    'headers of 24 KB',
    `GET /api/apps HTTP/1.1\r\nhost: x\r\n${HUGE}\r\n`,
    431,
    'headers_too_large',
  ],
  ['a broken request line', 'GET  /api/apps s3cret\r\n\r\n', 400, 'invalid_request'],
  [
    'a body in broken chunks',
    `POST /auth/sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${BROKEN_CHUNKS}`,
    400,
    'invalid_request',
  ],
  [
    'two lengths',
    'POST /auth/sign-in HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\ns3cret',
    400,
    'invalid_request',
  ],
  ['a missing host', 'GET /api/apps HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
]
for (const [what, text, status, code] of API) {
  test(`answers ${what} with problem details and a trace id [U05]`, async () => {
    const answer = await send(text)
    assert.equal(answer.status, status)
    assert.match(answer.head, /content-type: application\/problem\+json/)
    assert.match(answer.head, /x-content-type-options: nosniff/)
    assert.match(answer.head, /connection: close/)
    for (const name of ERROR_SCHEMAS.Problem.required) assert.ok(name in answer.body, name)
    assert.equal(answer.body.code, code)
    const line = service
      .logText()
      .split('\n')
      .find((one) => one.includes(answer.body.traceId))
    assert.ok(line?.includes(code), 'the trace id finds the line')
    assert.ok(!JSON.stringify(answer.body).includes('s3cret'))
    assert.ok(!service.logText().includes('s3cret'))
  })
}

test('answers a malformed request to /app-auth as an OAuth error [T07]', async () => {
  for (const [text, status] of [
    [`POST /app-auth/token HTTP/1.1\r\nhost: x\r\n${HUGE}\r\n`, 431],
    ['GET /app-auth/authorize?client_id=a b HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ] as const) {
    const answer = await send(text)
    assert.equal(answer.status, status)
    assert.match(answer.head, /content-type: application\/json/)
    assert.match(answer.head, /cache-control: no-store/)
    assert.equal(answer.body.error, 'invalid_request')
    assert.match(answer.body.trace_id, /^[0-9a-f]{32}$/)
  }
})

test('logs a few lines a minute of the malformed requests of a network [V05]', async () => {
  service.clock.advance(60)
  const before = service.logText().length
  for (let i = 0; i < 30; i++) await send('GARBAGE\r\n\r\n')
  const lines = service
    .logText()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('well-formed'))
  assert.equal(lines.length, 10)
})

test('names a TLS handshake on the port without TLS [U05]', async () => {
  service.clock.advance(60)
  const before = service.logText().length
  const hello = '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'
  const answer = await send(hello)
  assert.equal(answer.status, 400)
  assert.match(answer.body.detail, /TLS handshake came to a port that speaks HTTP.*https:/)
  assert.match(service.logText().slice(before), /refused: A TLS handshake/)
})

test('does not call a connection without a byte a refused request [U05]', async () => {
  const before = service.logText().length
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  service.server.server.once('connection', (incoming) =>
    setImmediate(() => service.server.server.emit('clientError', late, incoming)),
  )
  const socket = connect(port, '127.0.0.1')
  let received = ''
  for await (const chunk of socket) received += chunk
  assert.equal(received, '')
  assert.equal(service.logText().slice(before), '')
})
