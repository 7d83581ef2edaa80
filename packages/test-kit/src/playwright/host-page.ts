// A page of a browser as the panel beside a chart: it frames the app, and the fake host answers the SDK
// in it. The host runs in Node, so a test commands it with plain calls; the page only passes messages
// on. Names no type of Playwright: the interface below is the part that is used. Contract §5.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createFakeHost,
  type FakeHost,
  type FakeHostOptions,
  type HostWindow,
} from '../fake-host.ts'

/** The part of a page of Playwright that is used. */
export interface BrowserPage<Frame> {
  exposeFunction(name: string, callback: (kind: string, text: string) => void): Promise<unknown>
  goto(url: string): Promise<unknown>
  evaluate(script: string): Promise<unknown>
  frameLocator(selector: string): Frame
}

const BINDING = 'chartsideHost'

/** `source` of a message is checked in the page, where it is known. */
const PAGE = `<!doctype html><title>Panel</title>
<style>body { margin: 0 } iframe { width: 400px; height: 700px; border: 0 }</style>
<iframe title="App" allow="clipboard-write"></iframe>
<script>
const frame = document.querySelector('iframe')
let port, current = 0
addEventListener('message', ({ data, origin, source }) => {
  if (source === frame.contentWindow) ${BINDING}('window', JSON.stringify({ data, origin }))
})
globalThis.panel = {
  open: (address) => { frame.src = address },
  answer: (message, origin, number) => {
    const transfer = []
    if (number > 0) {
      const channel = new MessageChannel()
      port?.close()
      current = number
      port = channel.port1
      port.onmessage = ({ data }) => ${BINDING}('port', JSON.stringify({ data, number }))
      transfer.push(channel.port2)
    }
    frame.contentWindow.postMessage(message, origin, transfer)
  },
  send: (message, number) => { if (number === current) port.postMessage(message) },
}
</script>`

type Port = InstanceType<typeof MessageChannel>['port1']
type Listener = Parameters<HostWindow['addEventListener']>[1]

export interface HostPage<Frame> {
  readonly host: FakeHost
  /** The app. */
  readonly frame: Frame
  /** Puts an address into the frame. */
  open(address: string): Promise<void>
}

/**
 * Serves the panel, of another site than the app, as an extension is. It listens on loopback only; port 0
 * stands for any free one.
 * @throws Error of Node.js when it can open no port
 * @example const { origin, stop } = await servePanel()
 */
export async function servePanel(wantedPort = 0): Promise<{ origin: string; stop(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(PAGE)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wantedPort, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://panel.localhost:${port}`, stop }
}

/**
 * Opens a fake host in a page of Playwright, once for each page. `origin` is of `servePanel`; `open` puts an
 * address into its frame.
 * @throws Error of Playwright when the page cannot be opened
 * @example const { host, open } = await openHostPage(page, origin, { launchId })
 */
export async function openHostPage<Frame>(
  page: BrowserPage<Frame>,
  origin: string,
  options: Omit<FakeHostOptions, 'window' | 'frame'>,
): Promise<HostPage<Frame>> {
  const panel = new Panel((script) => page.evaluate(script))
  await page.exposeFunction(BINDING, (kind, text) => panel.receive(kind, JSON.parse(text)))
  const host = createFakeHost({ ...options, window: panel })
  await page.goto(origin)
  return { host, frame: page.frameLocator('iframe'), open: (address) => panel.open(address) }
}

/** The window of the page for the host: each port of the host has its other end in the page. */
class Panel implements HostWindow {
  readonly #evaluate: (script: string) => Promise<unknown>
  readonly #listeners = new Set<Listener>()
  #port: Port | undefined
  #number = 0

  constructor(evaluate: (script: string) => Promise<unknown>) {
    this.#evaluate = evaluate
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.delete(listener)
  }

  async open(address: string): Promise<void> {
    await this.#run('open', address)
  }

  receive(kind: string, message: { data: unknown; origin: string; number: number }): void {
    if (kind === 'port') {
      if (message.number === this.#number) this.#port?.postMessage(message.data)
      return
    }
    const source = {
      postMessage: (answer: unknown, origin: string, transfer: readonly unknown[] = []): void => {
        const number = transfer.length > 0 ? this.#connect(transfer[0] as Port) : 0
        void this.#run('answer', answer, origin, number)
      },
    }
    for (const listener of this.#listeners) {
      listener({ data: message.data, origin: message.origin, source })
    }
  }

  #connect(port: Port): number {
    this.#port?.close()
    this.#number += 1
    const number = this.#number
    port.addEventListener('message', (event: object) => {
      void this.#run('send', (event as { data?: unknown }).data, number)
    })
    port.start()
    this.#port = port
    return number
  }

  /** A page that has been closed hears no more. */
  async #run(method: string, ...values: readonly unknown[]): Promise<void> {
    const list = values.map((value) => JSON.stringify(value)).join(', ')
    await this.#evaluate(`panel.${method}(${list})`).catch(() => {})
  }
}
