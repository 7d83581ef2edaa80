// An app's page in its frame, and the host around it, as plain objects, for the tests of this
// folder. Not part of the package.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { parseFailureReport } from '@chartside/protocol/failure-report'
import { buildWelcome, parseHello } from '@chartside/protocol/handshake'
import { ServiceSDKError } from './errors.ts'
import { createInit, type InitOptions } from './init.ts'
import type { Page } from './page.ts'

export const HOST = 'chrome-extension://host'
export const SEED = {
  userId: 'usr_1',
  account: { id: 'acc_1', name: 'Lakeside' },
  ehrType: 'meadow',
  sessionId: 'ses_1',
  deviceId: 'dev_1',
}
export const ENDPOINT = 'https://notes.example/token'

export interface Setting {
  readonly search?: string
  readonly origin?: string
  readonly tokenEndpoint?: string
  /** The answer of the token endpoint. */
  readonly answerToken?: (init: RequestInit) => Response | Promise<Response>
  /** Answers a hello as the host. By default it welcomes from its own origin. */
  readonly onHello?: (reply: Reply, nonce: string) => void
  /** The host's answer to a token; `ready` by default. */
  readonly tokenAnswer?: object
}

type Reply = (
  answer: object,
  from?: { origin?: string; source?: object; ports?: MessagePort[] },
) => void

/** A page in a frame, and the host around it. */
export function openPage(setting: Setting = {}) {
  const listeners = new Set<(event: MessageEvent<unknown>) => void>()
  const received: unknown[] = []
  const reports: object[] = []
  const requests: { url: string; init: RequestInit }[] = []
  const { port1, port2 } = new MessageChannel()
  after(() => port1.close())
  port1.onmessage = ({ data }) => {
    received.push(data)
    if (data.type === 'token') port1.postMessage(setting.tokenAnswer ?? { type: 'ready' })
  }
  const reply: Reply = (answer, { origin = HOST, source = parent, ports = [port2] } = {}) => {
    const event = { data: answer, origin, source, ports } as unknown as MessageEvent<unknown>
    for (const listener of [...listeners]) listener(event)
  }
  const welcome = (nonce: string) => {
    const { tokenEndpoint } = setting
    const fields = { version: 1, nonce, launchId: 'lnch_1', seed: SEED }
    return buildWelcome(tokenEndpoint === undefined ? fields : { ...fields, tokenEndpoint })
  }
  const parent = {
    postMessage: (data: unknown, targetOrigin?: unknown) => {
      const report = parseFailureReport(data)
      if (report) return void reports.push({ ...report, targetOrigin })
      const { nonce = '' } = parseHello(data) ?? {}
      if (setting.onHello) setting.onHello(reply, nonce)
      else reply(welcome(nonce))
    },
  }
  const page: Page = {
    parent,
    origin: setting.origin ?? 'https://notes.example',
    location: { search: setting.search ?? '' },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
    requestAnimationFrame: () => 0,
    fetch: async (url, init) => {
      requests.push({ url, init })
      return setting.answerToken?.(init) ?? Response.error()
    },
  }
  const init = createInit(page, [HOST])
  return {
    // Short, so that neither a test nor a timer after it lasts long.
    init: (options: InitOptions = {}) => init({ handshakeTimeoutMs: 1_000, ...options }),
    page,
    received,
    /** Failures that went to the parent window. */
    reports,
    requests,
    listeners,
    reply,
    welcome,
    host: port1,
  }
}

/** The code of the error that init rejects with, and its message. */
export async function failureOf(promise: Promise<unknown>): Promise<ServiceSDKError> {
  const error = await promise.then(
    () => assert.fail('init resolved'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ServiceSDKError, String(error))
  return error
}

export const quick: InitOptions = { accessToken: 'at_1', handshakeTimeoutMs: 40 }

/** Times that a timer cannot hold or that are invalid, and the time that the SDK waits instead. */
export const INVALID_TIMES = [
  [Number.POSITIVE_INFINITY, 86_400_000],
  [2 ** 31, 86_400_000],
  [Number.NaN, 10_000],
  [-5, 10_000],
  [0, 10_000],
] as const

/** A page that gets its tokens from a token endpoint with this answer. */
export const withTokenEndpoint = (answerToken: Setting['answerToken']): Setting => ({
  search: '?code=code_1',
  tokenEndpoint: ENDPOINT,
  ...(answerToken ? { answerToken } : {}),
})
