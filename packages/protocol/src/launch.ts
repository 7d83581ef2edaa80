// A launch as the backend API shows it to a host (browser extension, sandbox page): the payloads,
// which come from the route table of the server, and the order of the steps. Decides nothing.
// Contract §3 (sessions and launches) and §5 (seed).
import type { Launch, LaunchSpan, LaunchStep } from './payloads.ts'

export type {
  AppKind,
  EhrSession,
  Launch,
  LaunchApp,
  LaunchSpan,
  LaunchStep,
  OpenedLaunch,
  SessionApp,
  SessionEvents,
  SessionSeed,
} from './payloads.ts'

/** The steps of a launch in story order. */
export const LAUNCH_STEPS = [
  'created',
  'opened',
  'authorize',
  'code',
  'exchange',
  'handshake',
  'context',
  'ended',
] as const
export type LaunchStepName = LaunchStep['step']

/** The steps that only the host can see, and reports. */
export const HOST_STEPS = ['opened', 'handshake', 'context'] as const
export type HostStepName = (typeof HOST_STEPS)[number]

export type LaunchState = Launch['state']

/** The spans of a launch, and whose time each is. */
export const SPAN_PARTIES = {
  open: 'host',
  load: 'app_page',
  authorize: 'service',
  prepare: 'app_server',
  exchange: 'service',
  hello: 'app_page',
  context: 'host',
} as const
export type LaunchSpanName = LaunchSpan['span']
