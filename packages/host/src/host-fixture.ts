// A host without a browser: window, iframes, service and clock are plain objects. A test advances
// the time itself and reads every call to the service. The host closes after the test, also when it
// fails, because an open port keeps the process alive. Not part of the package.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildHello, parseAnswer } from '@chartside/protocol/handshake'
import type { EhrSession } from '@chartside/protocol/launch'
import type { HostEvent } from './events.ts'
import { createHost } from './host.ts'

export const APP = 'https://notes.example'
export const SEED = {
  userId: 'usr_1',
  account: { id: 'acc_1', name: 'Lakeside' },
  ehrType: 'meadow',
  sessionId: 'ses_1',
  deviceId: 'dev_1',
}
const SESSION: EhrSession = {
  ...SEED,
  id: SEED.sessionId,
  state: 'live',
  collection: null,
  ehr: null,
  apps: [],
  createdAt: '2026-01-01T00:00:00Z',
}

type Receive = (event: object) => void

interface Posted {
  readonly message: unknown
  readonly origin: string
  readonly port: MessagePort | undefined
}

/** A clock that only a test advances. */
class TestClock {
  #now = 1_000_000
  readonly #tasks = new Set<{ readonly at: number; readonly run: () => void }>()

  readonly now = () => this.#now

  readonly after = (ms: number, run: () => void) => {
    const task = { at: this.#now + ms, run }
    this.#tasks.add(task)
    return () => this.#tasks.delete(task)
  }

  /** Runs each timer that expires. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    for (;;) {
      await settle()
      const [next] = [...this.#tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#tasks.delete(next)
      this.#now = next.at
      next.run()
    }
    this.#now = until
  }
}

/** An iframe that records what is posted to its document. */
function buildElement(posted: Posted[]): object {
  return {
    contentWindow: {
      postMessage: (message: unknown, origin: string, ports?: MessagePort[]) =>
        posted.push({ message, origin, port: ports?.[0] }),
    },
    setAttribute: () => {},
    style: { opacity: '' },
    blur: () => {},
    cloneNode: () => buildElement(posted),
    replaceWith: () => {},
    remove: () => {},
  }
}

type Answer = object | number

/** `answers` replaces answers of the service: a body or a status; 0 is a network error. */
export function startHost(
  t: TestContext,
  answers: { [route: string]: (body: string) => Answer | Promise<Answer> } = {},
  isOffline = () => false,
  session: Partial<EhrSession> = {},
) {
  const clock = new TestClock()
  let launches = 0
  let receive: Receive = () => {}
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const events: HostEvent[] = []
  const reported: unknown[] = []
  const calls: { route: string; body: string }[] = []
  const ended: string[] = []
  let hidePage: Receive = () => {}
  const posted: Posted[] = []

  const route: { [route: string]: (body: string) => Answer | Promise<Answer> } = {
    launches: () => {
      launches += 1
      const launchUrl = `${APP}/launch?launch_id=lnch_${launches}`
      const app = { id: 'app_1', name: 'Visit Notes', origins: [APP] }
      return { id: `lau_${launches}`, launchId: `lnch_${launches}`, launchUrl, app, seed: SEED }
    },
    introspect: () => ({
      active: true,
      launch_id: `lnch_${launches}`,
      exp: clock.now() / 1000 + 3600,
    }),
    steps: () => 204,
    ...answers,
  }
  const createElement = () => buildElement(posted)
  const host = createHost({
    service: 'https://service.example/',
    sessionToken: 'st_1',
    session: { ...SESSION, ...session },
    onEvent: (event) => {
      events.push(event)
      fixture.onEvent(event)
    },
    clock,
    fetch: async (input, init) => {
      const { pathname: path, search } = new URL(String(input))
      const name = path.split('/').at(-1) ?? ''
      const body = String(init?.body ?? '')
      if (init?.method === 'DELETE') {
        assert.equal(init.keepalive, true, 'sent also while the page unloads')
        ended.push(path + search)
        return new Response(null, { status: 204 })
      }
      calls.push({ route: name, body })
      assert.equal(init?.credentials, 'omit')
      if (name === 'events') {
        return new Response(
          new ReadableStream({
            start: (controller) => {
              stream = controller
            },
          }),
        )
      }
      const answer = isOffline() ? 0 : await (route[name]?.(body) ?? 404)
      if (answer === 0) throw new TypeError('Failed to fetch')
      if (typeof answer === 'object') return Response.json(answer)
      const problem = { code: 'service_code', detail: 'Detail of the service.', traceId: 'trace_1' }
      return answer === 204
        ? new Response(null, { status: 204 })
        : Response.json(problem, { status: answer })
    },
    window: {
      location: { origin: 'chrome-extension://host' },
      document: {
        createElement,
      },
      addEventListener: (name: string, listener: Receive) => {
        if (name === 'message') receive = listener
        if (name === 'pagehide') hidePage = listener
      },
      removeEventListener: (name: string) => {
        if (name === 'message') receive = () => {}
      },
      reportError: (error: unknown) => reported.push(error),
    } as unknown as Window,
  })

  t.after(() => host.close())

  const fixture = {
    host,
    events,
    /** The errors that reached the page's error handler. */
    reported,
    calls,
    /** The paths of the launches that the host has ended. */
    ended,
    /** The browser keeps a persisted page for "Back". */
    hidePage: (persisted: boolean) => hidePage({ persisted }),
    /** Does what the page does with an event, after recording it. */
    onEvent: (_event: HostEvent) => {},
    listEventTypes: () => events.map(({ type }) => type),
    open: () => host.open({ appId: 'app_1', kind: 'ui', mount: { append: () => {} } as never }),
    /** Sends a hello as the app's document does, and listens on the port of the answer. */
    sendHello: (source: unknown, nonce: string) => sendHello(receive, posted, source, nonce),
    /** Sends any message to the host's window. */
    sendMessage: (source: unknown, data: unknown, origin = APP) =>
      receive({ data, source, origin }),
    sendStreamEvent: async (event: string, data: object) => {
      stream?.enqueue(
        new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
      )
      await settle()
    },
    advance: (ms: number) => clock.advance(ms),
  }
  return fixture
}

function sendHello(receive: Receive, posted: readonly Posted[], source: unknown, nonce: string) {
  const before = posted.length
  const data = buildHello({ versions: [1], nonce, sdkVersion: '1.0.0' })
  receive({ data, source, origin: APP })
  const last = posted[before]
  const received: unknown[] = []
  const port = last?.port
  port?.addEventListener('message', (message) => received.push(message.data))
  port?.start()
  return { answer: parseAnswer(last?.message), origin: last?.origin, port, received }
}

/** Ports and streams deliver in later turns of the loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

/** Opens an app and brings it to its session context. */
export async function openReady(fixture: ReturnType<typeof startHost>) {
  const frame = await fixture.open()
  const app = fixture.sendHello(frame.element.contentWindow, 'nonce_ready')
  app.port?.postMessage({ type: 'token', accessToken: 'at_1' })
  await settle()
  return { frame, app }
}
