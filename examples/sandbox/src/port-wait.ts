// Waits until an app listens on its port. Opens and closes connections only; the caller owns the
// process and ends the wait when it exits.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** An app may build its pages first, as new apps with Next.js do. */
const READY_TIMEOUT_MS = 120_000

/** @throws Error when nothing listens there in time, or the reason of `signal`. */
export async function waitForPort(name: string, port: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if (await answers(port)) return
    await wait(30)
  }
  throw new Error(
    `${name} runs, but nothing listens on port ${port} after ${READY_TIMEOUT_MS / 1000} s. Have it listen on the port that the variable PORT names.`,
  )
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    const settle = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', settle(true)).once('error', settle(false))
  })
}
