// A flood of requests to sign in, over a real socket: however the address is spelled, a few begin in
// each iteration of the event loop, every request is answered, and exchanges are not throttled.
// Security K04.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
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

/** Sends requests at once, each on a connection of its own. Returns the statuses in their order. */
async function sendAtOnce(paths: readonly string[]): Promise<number[]> {
  const { port } = node.server.server.address() as AddressInfo
  const sockets = paths.map(() => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // A connection is accepted in an iteration of its own.
  while ((await countConnections()) < sockets.length) await nextIteration()
  perIteration = []
  const request = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
  const answers = sockets.map(async (socket, i) => {
    socket.write(request(paths[i] ?? '/'))
    const [chunk] = await once(socket, 'data')
    socket.destroy()
    return Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1])
  })
  return Promise.all(answers)
}

const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    node.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

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
  const most = Math.max(...perIteration)
  assert.ok(most > 2 && most <= 24, `${most} in an iteration`)
})
