// A launch as the backend API shows it to a host (browser extension, sandbox page): the payloads,
// which come from the route table of the server, the order of the steps and the reasons
// of an end. Decides nothing.
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
  'chart_changed',
  'ended',
  'logout',
] as const
export type LaunchStepName = LaunchStep['step']

/** The steps that only the host can see, and reports. */
export const HOST_STEPS = ['opened', 'handshake', 'context'] as const
export type HostStepName = (typeof HOST_STEPS)[number]

/**
 * The ways in which a host handled a change of the chart: by the policy of the app, because the first chart
 * came back at once, or by writing a line only.
 */
export const CHART_HANDLINGS = [
  'relaunch',
  'cover',
  'event',
  'keep',
  'returned',
  'observe',
] as const
export type ChartHandling = (typeof CHART_HANDLINGS)[number]

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
/** The names stand in causal order. */
export const LAUNCH_SPAN_NAMES = [
  'open',
  'load',
  'authorize',
  'prepare',
  'exchange',
  'hello',
  'context',
] as const
export type LaunchSpanName = LaunchSpan['span']

/** The reasons why a launch, an EHR session or a sign-in ended. packages/host has the words of each. */
export const END_REASONS = [
  /** The person signed out. */
  'signed_out',
  /** The person was not active for too long. */
  'idle',
  /** The end of the lifetime of the launch, of its token, or of the sign-in. */
  'expired',
  /** Access was taken away: the token was revoked, the member removed, the person disabled. */
  'revoked',
  /** The app was disabled or deleted. */
  'app_disabled',
  'account_closed',
  /** The person opened another chart; the host opened the app again for that one. */
  'chart_changed',
  /** The host ended the session or the launch. */
  'closed',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** Returns null for a reason that a later end has added. */
export const parseEndReason = (value: unknown): EndReason | null =>
  END_REASONS.find((reason) => reason === value) ?? null
