// Both ends of the handshake against an attacker who sends any message from any window, in any order:
// the seed leaves only to the app's own frame on its own origin, a launch is ready only with a token
// that the service has verified, and the SDK believes only its host. Security X01 to X06, L05.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decideHello, type MessageSource } from '../../../packages/host/src/handshake.ts'
import { SEED, settle, startHost } from '../../../packages/host/src/host-fixture.ts'
import {
  LaunchStates,
  NOT_STARTED,
  nextLaunchState,
} from '../../../packages/host/src/launch-state.ts'
import { buildWelcome, parseHello } from '../../../packages/protocol/src/handshake.ts'
import { ServiceSDKError } from '../../../packages/sdk/src/errors.ts'
import { createInit } from '../../../packages/sdk/src/init.ts'
import type { Page } from '../../../packages/sdk/src/page.ts'
import { APP_ORIGIN, GENUINE, HOST_ORIGIN, message, origin } from './hostile-messages.ts'

/** A context of no test: the case closes what it opens. */
function contextOf(closing: (() => void)[]) {
  return { after: (close: () => void) => void closing.push(close) } as never
}

const SILENT = { warn: console.warn, info: console.info }
/** The SDK warns of every message that it drops. */
async function silently<T>(work: () => Promise<T>): Promise<T> {
  Object.assign(console, { warn: () => {}, info: () => {} })
  return work().finally(() => Object.assign(console, SILENT))
}

interface Attack {
  readonly from: 'frame' | 'stranger' | 'none'
  readonly origin: string
  readonly data: unknown
  readonly isOnPort: boolean
}
const attack: fc.Arbitrary<Attack> = fc.record({
  from: fc.constantFrom('frame', 'frame', 'stranger', 'none'),
  origin,
  data: message,
  isOnPort: fc.boolean(),
})

const TYPES = [
  'opened',
  'slow',
  'handshake',
  'context',
  'refused',
  'hello_timeout',
  'ended',
  'launch',
  'requested',
  'not_launched',
  'ignored',
]
const hostEvent = fc.record({
  type: fc.constantFrom(...TYPES),
  launch: fc.constantFrom('lau_1', 'lau_2'),
  code: fc.constantFrom('HANDSHAKE_TIMEOUT', 'app_not_available', 'x'),
  message: fc.constant('m'),
  step: fc.constantFrom('opened', 'handshake', 'context'),
  reason: fc.constantFrom('expired', 'closed', 'signed_out'),
  fix: fc.constant(''),
  view: fc.record({
    id: fc.constantFrom('lau_1', 'lau_2'),
    state: fc.constantFrom('opened', 'exchanged', 'ended', 'expired'),
    steps: fc.array(
      fc.record({
        step: fc.constantFrom('created', 'authorize', 'context', 'ended'),
        outcome: fc.constantFrom('ok', 'failed'),
        at: fc.constant('2026-01-01T00:00:00Z'),
      }),
      { maxLength: 4 },
    ),
  }),
})
const KINDS = ['not_started', 'opening', 'ready', 'failed', 'ended', 'disabled']

export const endProperties = {
  decideHello: () =>
    fc.property(
      message,
      origin,
      fc.boolean(),
      fc.boolean(),
      fc.nat(25),
      (data, from, isOwn, isUsed, recentCount) => {
        const app = { id: 'app_1', name: 'Visit Notes', origins: [APP_ORIGIN] }
        const frame = {
          element: {},
          launch: { id: 'lau_1', app },
          ended: null,
          hellos: { recentCount, has: () => isUsed },
        } as unknown as MessageSource
        const decision = decideHello({ data, source: null, origin: from }, isOwn ? frame : null)
        if (decision.kind === 'welcome' || decision.kind === 'refuse') {
          assert.ok(isOwn && from === APP_ORIGIN && !isUsed && recentCount < 20)
        }
        return true
      },
    ),
  launchStates: () =>
    fc.property(fc.array(hostEvent, { maxLength: 20 }), (events) => {
      const states = new LaunchStates()
      let state: Parameters<typeof nextLaunchState>[0] = NOT_STARTED
      for (const event of events) {
        state = nextLaunchState(state, event as never)
        states.apply(event as never)
        assert.ok(KINDS.includes(state.kind))
      }
      return true
    }),
  hostEnd: () =>
    fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 6 }), async (attacks) => {
      const closing: (() => void)[] = []
      const isGood = (body: string) => body.includes('at_good')
      const fixture = startHost(contextOf(closing), {
        introspect: (body) => ({ active: isGood(body), launch_id: 'lnch_1', exp: 9e9 }),
      })
      try {
        const frame = await fixture.open()
        const source = frame.element.contentWindow
        const app = fixture.sendHello(source, 'nonce_of_the_app')
        for (const { from, origin: at, data, isOnPort } of attacks) {
          if (isOnPort) postOrSkip(app.port, data)
          else
            fixture.sendMessage(from === 'frame' ? source : from === 'none' ? null : {}, data, at)
        }
        await settle()
        assert.ok(!fixture.listEventTypes().includes('context'), 'ready without a verified token')
        assert.deepEqual(fixture.reported, [], 'an error in the page')
        const text = JSON.stringify(fixture.events)
        assert.ok(!/lnch_1|at_1/.test(text), 'a bearer value in an event')
      } finally {
        for (const close of closing) close()
        fixture.host.close()
      }
      return true
    }),
  sdkEnd: () =>
    fc.asyncProperty(fc.array(attack, { maxLength: 5 }), fc.boolean(), (attacks, hasHost) =>
      silently(async () => {
        const outcome = await runSdk(attacks, hasHost)
        if (outcome instanceof Error) {
          assert.ok(outcome instanceof ServiceSDKError, String(outcome))
          return true
        }
        assert.ok(hasHost, 'ready without a host')
        assert.deepEqual(
          { ...outcome.sessionContext, getIdToken: undefined },
          { ...SEED, getIdToken: undefined },
        )
        return true
      }),
    ),
}

/** What cannot be cloned, no window can send. */
function postOrSkip(port: MessagePort | undefined, data: unknown): void {
  try {
    port?.postMessage(data)
  } catch (error) {
    if (!(error instanceof DOMException) && !(error instanceof Error)) throw error
  }
}

const WAIT_MS = 12

/** The SDK in a page whose parent sends these messages first, and then, if it is the host, its own. */
async function runSdk(attacks: readonly Attack[], hasHost: boolean) {
  const listeners = new Set<(event: MessageEvent<unknown>) => void>()
  const ports = new MessageChannel()
  const evil = new MessageChannel()
  ports.port1.onmessage = ({ data }) => {
    if (data?.type === 'token') ports.port1.postMessage({ type: 'ready' })
  }
  const deliver = (data: unknown, source: unknown, from: string, port: MessagePort) => {
    const event = { data, source, origin: from, ports: [port] } as unknown as MessageEvent<unknown>
    for (const listener of [...listeners]) listener(event)
  }
  const parent = {
    postMessage: (data: unknown) => {
      const { nonce } = parseHello(data) ?? {}
      if (nonce === undefined) return
      for (const { from, origin: at, data: odd } of attacks) {
        // Not from its parent on the origin of the host: that one is the host.
        const isHost = from === 'frame' && at === HOST_ORIGIN
        deliver(
          withNonce(odd, nonce),
          from === 'frame' ? parent : {},
          isHost ? APP_ORIGIN : at,
          evil.port2,
        )
      }
      if (hasHost) {
        const welcome = buildWelcome({ version: 1, nonce, launchId: 'lnch_1', seed: SEED })
        deliver(welcome, parent, HOST_ORIGIN, ports.port2)
      }
    },
  }
  const page: Page = {
    parent: parent as never,
    origin: APP_ORIGIN,
    location: { search: '' },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
    requestAnimationFrame: () => 0,
    fetch: async () => Response.error(),
  }
  const init = createInit(page, [HOST_ORIGIN])
  try {
    return await init({ accessToken: 'at_1', handshakeTimeoutMs: WAIT_MS * (hasHost ? 100 : 1) })
  } catch (error) {
    return error as Error
  } finally {
    for (const { port1, port2 } of [ports, evil]) {
      port1.close()
      port2.close()
    }
  }
}

/** An attacker who has seen the hello knows its nonce. */
const withNonce = (data: unknown, nonce: string): unknown =>
  data === GENUINE.welcome || data === GENUINE.refusal ? { ...(data as object), nonce } : data
