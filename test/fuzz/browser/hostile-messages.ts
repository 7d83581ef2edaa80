// Messages that a window or a port may receive: each genuine one, and what an attacker makes of it, as
// the structured clone algorithm can carry it. Objects whose getters throw stand for what must not be
// read.
import fc from 'fast-check'
import { END_REASONS } from '../../../packages/protocol/src/launch.ts'
import { hostileJson, hostileText, MARK, PROTOTYPE_NAMES } from '../hostile-values.ts'

export const APP_ORIGIN = 'https://notes.example'
export const HOST_ORIGIN = 'chrome-extension://host'

const SEED = {
  userId: 'usr_1',
  account: { id: 'acc_1', name: 'Lakeside' },
  ehrType: 'meadow',
  sessionId: 'ses_1',
  deviceId: 'dev_1',
}

export const GENUINE: Readonly<Record<string, object>> = {
  hello: { type: 'chartside:hello', versions: [1], nonce: 'nonce_1', sdkVersion: '1.0.0' },
  welcome: {
    type: 'chartside:welcome',
    version: 1,
    nonce: 'nonce_1',
    launchId: 'lnch_1',
    seed: SEED,
    tokenEndpoint: 'https://notes.example/token',
  },
  refusal: {
    type: 'chartside:refusal',
    nonce: 'nonce_1',
    code: 'LAUNCH_ENDED',
    message: 'It is over.',
    fix: 'Open it again.',
  },
  failure: { type: 'chartside:failure', code: 'x', message: 'm', fix: 'f', traceId: 't' },
  token: { type: 'token', accessToken: 'at_1' },
  failed: { type: 'failed', code: 'TOKEN_REJECTED', message: 'm', fix: 'f' },
  hold: { type: 'hold', isHeld: true },
  unsaved: { type: 'unsaved', isUnsaved: true },
  ready: { type: 'ready', tokenExpiresAt: 1_900_000_000_000 },
  refused: { type: 'refused', code: 'TOKEN_REJECTED', message: 'm' },
  expiring: { type: 'expiring', inSeconds: 30 },
  ended: { type: 'ended', reason: END_REASONS[0] },
}

const genuine = fc.constantFrom(...Object.values(GENUINE))

/** A getter that tells who reads it. */
export class Read extends Error {}
const trap = (name: string) =>
  Object.defineProperty({ type: 'chartside:hello' }, name, {
    enumerable: true,
    get: () => {
      throw new Read(name)
    },
  })

const inherited = (message: object) => Object.create(message) as unknown

const withField = (message: object, name: string, value: unknown) =>
  Object.defineProperty({ ...message }, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })

/** Beyond what any field takes. */
const LONG = MARK.repeat(200_000)

export const message: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: genuine },
  {
    weight: 6,
    arbitrary: fc.tuple(genuine, fc.nat(8), hostileJson).map(([good, at, odd]) => {
      const names = Object.keys(good)
      return withField(good, names[at % names.length] ?? 'type', odd)
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(genuine, fc.constantFrom(...PROTOTYPE_NAMES, 'length', ''), hostileJson)
      .map(([good, name, odd]) => withField(good, name, odd)),
  },
  { weight: 1, arbitrary: genuine.map(inherited) },
  { weight: 1, arbitrary: genuine.map((good) => withField(good, 'nonce', LONG)) },
  { weight: 1, arbitrary: genuine.map((good) => withField(good, 'versions', Array(100).fill(1))) },
  { weight: 1, arbitrary: fc.constantFrom('nonce', 'versions', 'seed', 'accessToken').map(trap) },
  { weight: 1, arbitrary: fc.oneof(hostileText, hostileJson) },
  {
    weight: 1,
    arbitrary: fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withTypedArray: true,
    }),
  },
)

export const origin = fc.constantFrom(
  APP_ORIGIN,
  APP_ORIGIN,
  APP_ORIGIN,
  HOST_ORIGIN,
  'https://evil.example',
  'https://notes.example.evil',
  'http://notes.example',
  'https://notes.example:8443',
  'null',
  '',
)
