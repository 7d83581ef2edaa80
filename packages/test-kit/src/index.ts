// The test kit: one import for the tests of an app. A service that answers as Chartside does, and a
// host for the SDK. In a page, import './host' alone: the issuer needs Node. For tests only.
export {
  createFakeHost,
  type FakeHost,
  type FakeHostOptions,
  type HostBehaviour,
  type HostWindow,
  SAMPLE_SEED,
} from './fake-host.ts'
export {
  type Callback,
  type CallbackOptions,
  type CodeOptions,
  type FakeIssuer,
  type FakeIssuerOptions,
  type Fault,
  type IdTokenOptions,
  type Intercept,
  startFakeIssuer,
} from './fake-issuer.ts'
export { ID_TOKEN_KINDS, type IdTokenKind, idTokenKinds } from './id-token-kinds.ts'
export type { Answer, RecordedRequest } from './issuer-answers.ts'
export type { Jwk } from './jwk.ts'
export type { FakeLaunch } from './launch.ts'
