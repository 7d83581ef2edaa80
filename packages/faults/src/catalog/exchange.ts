// Faults of the exchange: what a wire between the app's server and the token endpoint does. A good app sends
// each code once. Contract §15.
import {
  namesTrace,
  opensAgain,
  plainWords,
  presentsNoToken,
  REFUSED,
  reportsFailure,
  saysSomething,
  saysSoon,
  sendsCodeOnce,
  showsNoUser,
} from '../checks.ts'
import type { Fault } from '../fault.ts'
import { error, onExchange } from '../intercepts.ts'

const FAILED = [sendsCodeOnce, ...REFUSED]

const WAITS = {
  title: 'Waits as long as Retry-After says',
  cause: 'A server that asks at once again stays limited, and so do all of its users.',
  fix: 'Read Retry-After, or do not try again: the user launches again.',
}

export const EXCHANGE_FAULTS: readonly Fault[] = [
  {
    ...{ name: 'secret-wrong', step: 'exchange', by: 'wire' },
    title: 'A wrong or retired client secret',
    intercept: onExchange(async (usual) => {
      // The code dies with the attempt, as at the service.
      await usual()
      return error(401, 'invalid_client', 'The client secret is wrong.')
    }),
    checks: [...FAILED, namesTrace],
  },
  {
    ...{ name: 'code-twice', step: 'exchange', by: 'wire' },
    title: 'The code is exchanged twice on the wire',
    intercept: onExchange(async (usual) => {
      await usual()
      return usual()
    }),
    checks: FAILED,
  },
  {
    ...{ name: 'code-late', step: 'exchange', by: 'wire' },
    title: 'The code is 61 seconds old',
    isAlone: true,
    intercept: onExchange((usual, tools) => {
      tools.advance(61_000)
      return usual()
    }),
    checks: FAILED,
  },
  {
    ...{ name: 'service-down', step: 'exchange', by: 'wire' },
    title: 'Chartside answers 503',
    intercept: onExchange(() =>
      error(503, 'temporarily_unavailable', 'The service is not available at the moment.'),
    ),
    checks: [...FAILED, namesTrace],
  },
  {
    ...{ name: 'slow-exchange', step: 'exchange', by: 'wire' },
    title: 'The answer takes 12 seconds',
    intercept: onExchange(async (usual, tools) => {
      await tools.wait(12_000)
      return usual()
    }),
    play: async (stage) => {
      await stage.open()
      await stage.settle(13_000)
    },
    checks: [sendsCodeOnce, saysSoon(11), plainWords, reportsFailure, opensAgain],
  },
  {
    ...{ name: 'answer-cut', step: 'exchange', by: 'wire' },
    title: 'The answer breaks off in the middle',
    intercept: onExchange(async (usual) => ({ ...(await usual()), isCut: true })),
    checks: FAILED,
  },
  {
    ...{ name: 'answer-html', step: 'exchange', by: 'wire' },
    title: 'An HTML page in place of JSON',
    intercept: onExchange(() => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Proxy</title><h1>Gateway of the network</h1>',
    })),
    checks: FAILED,
  },
  {
    ...{ name: 'answer-without-token', step: 'exchange', by: 'wire' },
    title: 'Success without an access_token',
    intercept: onExchange(() => ({ status: 200, body: { token_type: 'Bearer' } })),
    checks: FAILED,
  },
  {
    ...{ name: 'too-many', step: 'exchange', by: 'wire' },
    title: '429 with Retry-After: 20',
    intercept: onExchange(() => {
      const { body } = error(429, 'temporarily_unavailable', 'Too many requests.')
      return { status: 429, headers: { 'retry-after': '20' }, body }
    }),
    play: async (stage) => {
      await stage.open()
      await stage.settle()
      await stage.wait(2000)
    },
    checks: [
      ...[sendsCodeOnce, presentsNoToken, saysSomething, plainWords],
      {
        ...{ name: 'waits-as-asked', part: 'recovers', ...WAITS },
        judge: ({ exchanges }) => ({
          state: exchanges.length > 1 ? 'failed' : 'passed',
          evidence: `${exchanges.length} exchange(s) within the time that Retry-After names.`,
        }),
      },
      opensAgain,
    ],
  },
  {
    ...{ name: 'region', step: 'exchange', by: 'wire' },
    title: '403: the server stands outside the US',
    intercept: onExchange(() =>
      error(403, 'region_not_allowed', 'Requests from this region are not answered.'),
    ),
    checks: [...FAILED, namesTrace],
  },
]

/** A token that the panel refuses: its launch has ended, or it is of another app. */
export const TOKEN_REFUSED: Fault = {
  ...{ name: 'token-refused', step: 'running', by: 'host' },
  title: 'The panel refuses the access token',
  play: async (stage) => {
    stage.panel.rejectTokens()
    await stage.open()
    await stage.settle()
  },
  checks: [showsNoUser, saysSomething, plainWords, opensAgain],
}
