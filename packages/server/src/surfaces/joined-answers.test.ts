// Answers of one iteration of the event loop, over real sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { JoinedResponse } from './joined-answers.ts'

let arrived: ServerResponse[] = []
const events: string[] = []
const server = createServer({ ServerResponse: JoinedResponse }, (_request, response) => {
  arrived.push(response)
  server.emit('arrived')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
beforeEach(() => {
  arrived = []
  events.length = 0
})

async function request(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const hasArrived = once(server, 'arrived')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await hasArrived
  return socket
}

async function read(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** Notes when the answer goes to its socket. */
function noteSending(response: ServerResponse, name: string): void {
  const { socket } = response
  assert.ok(socket)
  const write = socket.write.bind(socket) as Socket['write']
  socket.write = ((...args: Parameters<Socket['write']>) => {
    events.push(`${name} sent`)
    return write(...args)
  }) as Socket['write']
}

function endAs(response: ServerResponse, name: string): void {
  noteSending(response, name)
  response.end(name)
  events.push(`${name} ended`)
}

test('sends all answers of an iteration after the last of them has ended', async () => {
  const sockets = [await request(), await request(), await request()]
  for (const [i, response] of arrived.entries()) endAs(response, `answer ${i}`)
  const texts = await Promise.all(sockets.map(read))
  assert.deepEqual(
    texts.map((text) => text.split('\r\n\r\n')[1]),
    ['answer 0', 'answer 1', 'answer 2'],
  )
  const names = ['answer 0', 'answer 1', 'answer 2']
  assert.deepEqual(
    [...new Set(events)],
    [...names.map((name) => `${name} ended`), ...names.map((name) => `${name} sent`)],
  )
})

test('sends an answer that ends while others are sent in the next iteration', async () => {
  const sockets = [await request(), await request()]
  const [first, second] = arrived
  assert.ok(first && second)
  first.end('first', () => events.push('called back'))
  first.once('prefinish', () => second.end('second'))
  const texts = await Promise.all(sockets.map(read))
  assert.match(texts[0] ?? '', /first$/)
  assert.match(texts[1] ?? '', /second$/)
  assert.deepEqual(events, ['called back'])
})

test('answers all others when a client is gone before its answer is sent', async () => {
  const [gone, there] = [await request(), await request()]
  const [toGone, toThere] = arrived
  assert.ok(gone && there && toGone && toThere)
  toGone.end('never read')
  toThere.end('read')
  toGone.socket?.destroy()
  gone.on('error', () => {})
  assert.match(await read(there), /read$/)
  gone.destroy()
})

test('ends an answer that was written in parts, with its headers and its length', async () => {
  const socket = await request()
  const [response] = arrived
  assert.ok(response)
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.write('part one, ')
  response.end(Buffer.from('part two'))
  const text = await read(socket)
  assert.match(text, /part one, /)
  assert.match(text, /part two\r\n0\r\n\r\n$/)
})
