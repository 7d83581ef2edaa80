// What the host says of the page of an app with the handshake: versions of host and SDK, and how long
// the page took from its navigation to its hello. Stored as one short JSON text on the row of the launch.
// All of it comes from a page that is not ours: the schema bounds it, and nothing is decided by it. Pure.
import type { PayloadOf } from '../http/call.ts'
import type { LAUNCH_PAGE } from './launch-step-schema.ts'

export type PageFacts = PayloadOf<typeof LAUNCH_PAGE>

/** Returns undefined for a report that says nothing of the page. */
export function formatPageFacts({
  hostVersion,
  sdkVersion,
  timings,
}: PageFacts): string | undefined {
  if (hostVersion === undefined && sdkVersion === undefined && !timings) return undefined
  const times = timings && [
    timings.responseStartMs,
    timings.responseEndMs,
    timings.domContentLoadedMs,
    timings.helloMs,
  ]
  return JSON.stringify({ h: hostVersion, v: sdkVersion, t: times })
}

export function parsePageFacts(text: string | undefined): PageFacts | undefined {
  if (text === undefined) return undefined
  const { h, v, t } = JSON.parse(text) as { h?: string; v?: string; t?: number[] }
  const [responseStartMs = 0, responseEndMs = 0, domContentLoadedMs = 0, helloMs = 0] = t ?? []
  return {
    ...(h === undefined ? {} : { hostVersion: h }),
    ...(v === undefined ? {} : { sdkVersion: v }),
    ...(t ? { timings: { responseStartMs, responseEndMs, domContentLoadedMs, helloMs } } : {}),
  }
}
