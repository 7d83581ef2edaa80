// That one network can neither hold a node's connections nor keep it from ending. Security V25.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { trackConnections } from './connections.ts'

const PROXY = '127.0.0.9'

const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'
const HALF_BODY = 'POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'

async function serve(maxConnections?: number) {
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    if (request.url === '/held') held.push(() => response.end())
    // More than the buffers of the system take.
    else response.end(request.url === '/large' ? Buffer.alloc(16 << 20) : '')
  })
  const isProxy = (address: string) => address.endsWith(PROXY)
  const connections = trackConnections(server, { maxConnections, isProxy })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  /** Opens a connection from an address, and sends what is given. */
  async function open(localAddress: string, text = ''): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.on('error', () => {})
    await once(socket, 'connect')
    if (text) socket.write(text)
    sockets.push(socket)
    return socket
  }
  const agent = new Agent({ keepAlive: false })
  const ask = async (localAddress: string) => {
    const request = get({ host: '127.0.0.1', port, path: '/', localAddress, agent })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    for (const end of held) end()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { server, connections, open, ask, stop }
}

const countOpen = (sockets: readonly Socket[]) => sockets.filter((one) => !one.destroyed).length
const turn = (ms = 50) => new Promise((resolve) => setTimeout(resolve, ms))

test('ends the oldest unused connections of a network beyond its bound [V25]', async (t) => {
  const { open, ask, stop } = await serve()
  t.after(stop)
  const other = await open('127.0.0.3')
  const greedy: Socket[] = []
  for (let i = 0; i < 300; i++) {
    const socket = await open('127.0.0.2')
    socket.resume()
    greedy.push(socket)
  }
  await turn()
  assert.equal(countOpen(greedy), 256)
  assert.ok(greedy[0]?.destroyed && !greedy[299]?.destroyed)
  assert.ok(!other.destroyed, 'another network keeps its own')
  assert.equal(await ask('127.0.0.2'), 200)
})

test('bounds no connections of a proxy, which are of many networks [V25]', async (t) => {
  const { open, stop } = await serve()
  t.after(stop)
  const all = await Promise.all(Array.from({ length: 300 }, () => open(PROXY)))
  for (const socket of all) socket.resume()
  await turn()
  assert.equal(countOpen(all), 300)
})

test('makes room for a new caller while one network holds every connection [V25]', async (t) => {
  const { open, ask, stop } = await serve(40)
  t.after(stop)
  const held = await open('127.0.0.2', HELD)
  const idle: Socket[] = []
  for (let i = 0; i < 60; i++) {
    const socket = await open('127.0.0.2', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data').catch(() => {})
    idle.push(socket)
  }
  for (let i = 0; i < 5; i++) assert.equal(await ask('127.0.0.3'), 200)
  assert.ok(!held.destroyed, 'a running request is not cut')
  assert.ok(countOpen(idle) <= 36)
})

/** Opens many from two networks, because a network alone ends its own newest. */
async function fill(open: (address: string, text: string) => Promise<Socket>, text: string) {
  for (let i = 0; i < 60; i++) {
    const socket = await open(i < 30 ? '127.0.0.2' : '127.0.0.4', text)
    socket.pause()
    await turn(5)
  }
}

for (const [what, text] of [
  ['bodies never come', HALF_BODY],
  ['answers are never read', 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'],
] as const) {
  test(`makes room for a new caller while ${what} [V25]`, async (t) => {
    const { open, ask, stop } = await serve(40)
    t.after(stop)
    const held = await open('127.0.0.3', HELD)
    await fill(open, text)
    const asked = await Promise.all(Array.from({ length: 3 }, () => ask('127.0.0.3')))
    assert.deepEqual(asked, [200, 200, 200])
    assert.ok(!held.destroyed, 'a running request is not cut')
  })
}

test('ends the oldest bodies of a network that never come, and no stream [V25]', async (t) => {
  const { open, stop } = await serve()
  t.after(stop)
  const streams: Socket[] = []
  const halves: Socket[] = []
  for (let i = 0; i < 300; i++) {
    streams.push(await open('127.0.0.3', HELD))
    halves.push(await open('127.0.0.2', HALF_BODY))
  }
  for (const socket of [...streams, ...halves]) socket.resume()
  for (let turns = 0; turns < 40 && countOpen(halves) > 256; turns++) await turn()
  assert.deepEqual([countOpen(streams), countOpen(halves)], [300, 256])
})

test('ends what has sent no request when the node stops [V25]', async (t) => {
  const { connections, open, stop } = await serve()
  t.after(stop)
  const silent = await open('127.0.0.2')
  const sending = await open('127.0.0.2', 'GET / HT')
  const half = await open('127.0.0.2', HALF_BODY)
  const running = await open('127.0.0.2', HELD)
  for (const socket of [silent, sending, half, running]) socket.resume()
  await turn()
  connections.closeUnused()
  await turn()
  assert.deepEqual([silent.destroyed, sending.destroyed], [true, false])
  connections.closeWaiting()
  await turn()
  assert.deepEqual([sending.destroyed, half.destroyed, running.destroyed], [true, true, false])
})
