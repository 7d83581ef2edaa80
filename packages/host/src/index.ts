// The host's public surface: what the browser extension and the sandbox page build on.
// It only gathers names; the wiring is in host.ts. Contract §5.
export type { EndReason } from '@chartside/protocol/handshake'
export { type ChartWords, explainChart } from './chart-words.ts'
export type { Clock } from './clock.ts'
export { type EndWords, explainEnd, explainSessionEnd } from './endings.ts'
export { HostError } from './errors.ts'
export type {
  ChartView,
  FrameEvent,
  HostEvent,
  IgnoredReason,
  OpenFrame,
  ServiceCall,
} from './events.ts'
export { createHost, type Host, type HostOptions, type OpenOptions } from './host.ts'
export {
  type LaunchState,
  LaunchStates,
  NOT_STARTED,
  nextLaunchState,
  type OpeningEvent,
} from './launch-state.ts'
export { withMissingStep } from './missing-step.ts'
