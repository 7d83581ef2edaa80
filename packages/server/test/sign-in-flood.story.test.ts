// A flood of requests to sign in, over a real socket: however the address is spelled, a few begin in
// each iteration of the event loop, every request is answered, and exchanges are not throttled.
// Security K04.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from './test-service.ts'

const REQUESTS = 100

let node: TestService
/** How many requests began in each iteration of the event loop that had any. */
let perIteration: number[] = []
let isCounting = true
before(async () => {
  node = await startTestService()
  const { findCaller } = node.service
  let begun = 0
  Object.assign(node.service, {
    findCaller: (...from: Parameters<typeof findCaller>) => {
      begun += 1
      return findCaller(...from)
    },
  })
  const count = () => {
    if (begun > 0) perIteration.push(begun)
    begun = 0
    if (isCounting) setImmediate(count)
  }
  count()
  await node.server.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  isCounting = false
  await node.close()
})

/** Sends requests in one write over one connection. Returns the statuses in the order of answers. */
async function sendAtOnce(paths: readonly string[]): Promise<number[]> {
  const { port } = node.server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  perIteration = []
  const request = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
  socket.write(paths.map(request).join(''))
  let text = ''
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  for await (const chunk of socket) {
    text += String(chunk)
    if (statuses().length === paths.length) break
  }
  socket.destroy()
  return statuses()
}

for (const path of [
  '/auth/sign-in',
  '/%61uth/sign-in',
  'http://x/auth/sign-in',
  '//auth/sign-in',
]) {
  test(`begins two requests to ${path} in an iteration and answers all [K04]`, async () => {
    const statuses = await sendAtOnce(Array(REQUESTS).fill(path))
    assert.equal(statuses.length, REQUESTS)
    assert.ok(statuses.every((status) => status >= 400 && status < 500))
    assert.ok(Math.max(...perIteration) <= 2, `${Math.max(...perIteration)} in an iteration`)
  })
}

test('does not throttle exchanges [K04]', async () => {
  const statuses = await sendAtOnce(Array(REQUESTS).fill('/app-auth/token'))
  assert.equal(statuses.length, REQUESTS)
  assert.ok(Math.max(...perIteration) > 2, `${Math.max(...perIteration)} in an iteration`)
})
