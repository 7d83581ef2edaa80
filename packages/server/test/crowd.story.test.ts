// A crowd of requests to sign in, over a real socket: however the address is spelled, a few are taken
// up in each turn of the event loop, all are answered, and one that exchanges a code goes past them.
// Security K04.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from './test-service.ts'

const CROWD = 100

let node: TestService
/** How many requests were taken up in each turn of the event loop that had any. */
let turns: number[] = []
let isWatching = true
before(async () => {
  node = await startTestService()
  const { findCaller } = node.service
  let taken = 0
  Object.assign(node.service, {
    findCaller: (...from: Parameters<typeof findCaller>) => {
      taken += 1
      return findCaller(...from)
    },
  })
  const watch = () => {
    if (taken > 0) turns.push(taken)
    taken = 0
    if (isWatching) setImmediate(watch)
  }
  watch()
  await node.server.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  isWatching = false
  await node.close()
})

/** Sends requests in one go over one connection. Gives the statuses in the order of the answers. */
async function sendAtOnce(paths: readonly string[]): Promise<number[]> {
  const { port } = node.server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  turns = []
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
  test(`a crowd at ${path} is taken up two in a turn, and all are answered [K04]`, async () => {
    const statuses = await sendAtOnce(Array(CROWD).fill(path))
    assert.equal(statuses.length, CROWD)
    assert.ok(statuses.every((status) => status >= 400 && status < 500))
    assert.ok(Math.max(...turns) <= 2, `${Math.max(...turns)} in a turn`)
  })
}

test('exchanges do not take turns', async () => {
  const statuses = await sendAtOnce(Array(CROWD).fill('/app-auth/token'))
  assert.equal(statuses.length, CROWD)
  assert.ok(Math.max(...turns) > 2, `${Math.max(...turns)} in a turn`)
})
