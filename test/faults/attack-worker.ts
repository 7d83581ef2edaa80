// An attacker with one connection, in a thread of its own so that making the attack does not delay what
// is measured: sends the same bytes as fast as they are answered, or at a rate of its own, connects again when
// the service cuts it, and counts the answers. Loopback only, and it ends when its time is over.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

export interface AttackWork {
  readonly port: number
  /** One request after another, in turn. */
  readonly requests: readonly string[]
  readonly seconds: number
  /** Requests on the way at a time. */
  readonly depth: number
  /** Reads no answer: what is sent stays in buffers. */
  readonly isReading: boolean
  /** Of a slow client: bytes at a time, and how often. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number }
  /** Destroys the connection with a reset in the middle of each request. */
  readonly isResetting?: boolean
  /** Ends the connection in the middle of each body. */
  readonly isTruncating?: boolean
  readonly connections: number
  /** Sends so many in a second over all connections, whether or not earlier ones are answered. */
  readonly perSecond?: number
}

const work = workerData as AttackWork
const endsAt = performance.now() + work.seconds * 1000
const counts: Record<string, number> = { sent: 0, connections: 0 }
const add = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}
const isOver = () => performance.now() >= endsAt

async function open(): Promise<Socket | undefined> {
  const socket = connect({ port: work.port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {})
  if (socket.destroyed) return undefined
  add('connections')
  return socket
}

/** Until the service ends the connection. */
async function useConnection(socket: Socket): Promise<void> {
  let next = 0
  let onTheWay = 0
  const sendNext = () => {
    while (onTheWay < work.depth && !isOver() && socket.writable) {
      onTheWay += 1
      add('sent')
      socket.write(work.requests[next++ % work.requests.length] ?? '')
    }
  }
  if (work.isReading) {
    socket.on('data', (data: Buffer) => {
      for (const [, status = ''] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        add(status)
        onTheWay -= 1
      }
      if (work.perSecond === undefined) sendNext()
    })
  } else socket.pause()
  const closed = once(socket, 'close').catch(() => {})
  const timer = work.perSecond === undefined ? undefined : sendOnTime(socket, work.perSecond)
  if (!timer) sendNext()
  await Promise.race([closed, sleep(Math.max(0, endsAt - performance.now()))])
  clearInterval(timer)
  socket.destroy()
}

const SEND_EVERY_MS = 5
/** Of requests that the kernel has not taken: they wait at the sender, as they would at other machines. */
const MAX_UNSENT_BYTES = 1_000_000

/** The share of one connection in all that is due. */
function sendOnTime(socket: Socket, perSecond: number): NodeJS.Timeout {
  const beganAt = performance.now()
  let done = 0
  return setInterval(() => {
    const due = ((performance.now() - beganAt) / 1000) * (perSecond / work.connections)
    for (; done < due && socket.writable; done += 1) {
      if (socket.writableLength > MAX_UNSENT_BYTES) add('not sent in time')
      else {
        add('sent')
        socket.write(work.requests[done % work.requests.length] ?? '')
      }
    }
  }, SEND_EVERY_MS)
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function drip(socket: Socket, { bytes, everyMs }: NonNullable<AttackWork['drip']>) {
  const [text = ''] = work.requests
  let isCut = false
  socket.on('close', () => {
    isCut = true
  })
  socket.resume()
  for (let at = 0; at < text.length && !isOver() && !isCut; at += bytes) {
    socket.write(text.slice(at, at + bytes))
    await sleep(everyMs)
  }
  if (isCut) add('cut by the service')
  socket.destroy()
}

async function breakOff(socket: Socket): Promise<void> {
  const [text = ''] = work.requests
  socket.resume()
  add('sent')
  socket.write(text.slice(0, Math.ceil(text.length * 0.7)))
  await sleep(1)
  if (work.isResetting) socket.resetAndDestroy()
  else socket.end()
  await Promise.race([once(socket, 'close').catch(() => {}), sleep(200)])
  socket.destroy()
}

async function attack(): Promise<void> {
  while (!isOver()) {
    const socket = await open()
    if (!socket) {
      add('refused connections')
      await sleep(20)
    } else if (work.drip) await drip(socket, work.drip)
    else if (work.isResetting || work.isTruncating) await breakOff(socket)
    else await useConnection(socket)
  }
}

await Promise.all(Array.from({ length: work.connections }, attack))
parentPort?.postMessage(counts)
