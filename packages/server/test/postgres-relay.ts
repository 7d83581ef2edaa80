// Stands in front of a PostgreSQL that the tests may use but not stop: a TCP relay that can refuse
// and cut connections, which is what a stopped server looks like from outside.
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { StoppableServer } from './postgres-server.ts'

export async function relayTo(url: string): Promise<StoppableServer> {
  if (!URL.canParse(url)) throw new Error('TEST_POSTGRES_URL is not a URL such as postgres://…')
  const target = new URL(url)
  const host = target.hostname || 'localhost'
  const port = Number(target.port || 5432)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let listensOn = 0

  function join(near: Socket): void {
    const far = connect(port, host)
    near.pipe(far).pipe(near)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }

  function bringBack(): Promise<void> {
    const opened = createServer(join)
    server = opened
    return new Promise((resolve, reject) => {
      opened.once('error', reject)
      opened.listen(listensOn, '127.0.0.1', () => {
        const address = opened.address()
        if (address && typeof address === 'object') listensOn = address.port
        resolve()
      })
    })
  }

  function takeDown(): Promise<void> {
    const opened = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => {
      if (opened) opened.close(() => resolve())
      else resolve()
    })
  }

  await bringBack()
  target.hostname = '127.0.0.1'
  target.port = String(listensOn)
  return { url: target.href, takeDown, crash: takeDown, bringBack, stop: takeDown }
}
