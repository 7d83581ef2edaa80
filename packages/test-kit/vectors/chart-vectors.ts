// Builds the published vectors of charts: what a host sees, what it sends and when the app is covered, what the
// app gets and answers. Plain data, written by hand, with references of a fixed key. Contract §11; security V40.
import { createHmac } from 'node:crypto'

/** The chart key of one EHR session; its text is the key of the HMAC. It is published, so it protects nothing. */
const KEY = 'Zm9yLXZlY3RvcnMtb25seS1vZi1vbmUtRUhSLXNlc3Npb24'
const APP_ID = 'app_vector'
const [A, B, C] = ['patient-A', 'patient-B', 'patient-C'] as const

const refOf = (chart: string | null): string | null =>
  chart === null
    ? null
    : createHmac('sha256', KEY).update(`${APP_ID}\n${chart}`).digest('base64url').slice(0, 22)

type Line = { readonly at_ms: number } & (
  | { readonly host_sees: { readonly chart: string | null } | 'ready' }
  | { readonly app_listens: true }
  | { readonly host_sends: { type: 'chart'; seq: number; ref: string | null } }
  | { readonly app_gets: { ref: string | null; previous: string | null } }
  | { readonly app_sends: { type: 'chart_shown'; seq: number } }
  | { readonly covered: boolean }
)

const opens = (at_ms: number, chart: string | null): Line => ({ at_ms, host_sees: { chart } })
const listens = (at_ms: number): Line => ({ at_ms, app_listens: true })
const sends = (at_ms: number, seq: number, chart: string | null): Line => ({
  at_ms,
  host_sends: { type: 'chart', seq, ref: refOf(chart) },
})
const gets = (at_ms: number, chart: string | null, before: string | null): Line => ({
  at_ms,
  app_gets: { ref: refOf(chart), previous: refOf(before) },
})
const answers = (at_ms: number, seq: number): Line => ({
  at_ms,
  app_sends: { type: 'chart_shown', seq },
})
const covers = (at_ms: number, covered: boolean): Line => ({ at_ms, covered })

/** Ready beside a chart, of which every app learns. */
const begins = (chart: string | null): Line[] => [
  opens(0, chart),
  { at_ms: 0, host_sees: 'ready' },
  sends(0, 1, chart),
]
/** Ready beside chart A, and listening. */
const LISTENS: readonly Line[] = [...begins(A), listens(0), gets(0, A, null), answers(0, 1)]

const vectors: readonly { readonly name: string; readonly lines: readonly Line[] }[] = [
  {
    name: 'an app that listens switches to the next chart',
    lines: [
      ...LISTENS,
      opens(1000, B),
      covers(1000, true),
      sends(1250, 2, B),
      gets(1250, B, A),
      answers(1400, 2),
      covers(1400, false),
    ],
  },
  {
    name: 'a late listener gets its own chart, then the newest',
    lines: [
      ...begins(A),
      opens(1000, B),
      covers(1000, true),
      listens(3000),
      gets(3000, A, null),
      answers(3000, 1),
      sends(3000, 2, B),
      gets(3000, B, A),
      answers(3100, 2),
      covers(3100, false),
    ],
  },
  {
    name: 'a change back within 250 ms is none',
    lines: [...LISTENS, opens(1000, B), covers(1000, true), opens(1100, A), covers(1350, false)],
  },
  {
    name: 'a chart that is opened again has the reference that it had',
    lines: [
      ...LISTENS,
      opens(1000, B),
      covers(1000, true),
      sends(1250, 2, B),
      gets(1250, B, A),
      answers(1300, 2),
      covers(1300, false),
      opens(2000, A),
      covers(2000, true),
      sends(2250, 3, A),
      gets(2250, A, B),
      answers(2300, 3),
      covers(2300, false),
    ],
  },
  {
    name: 'no chart has no reference',
    lines: [
      ...LISTENS,
      opens(1000, null),
      covers(1000, true),
      sends(1250, 2, null),
      gets(1250, null, A),
      answers(1250, 2),
      covers(1250, false),
    ],
  },
  {
    name: 'an app that is opened without a chart learns of the first one',
    lines: [
      ...begins(null),
      listens(0),
      gets(0, null, null),
      answers(0, 1),
      opens(1000, A),
      covers(1000, true),
      sends(1250, 2, A),
      gets(1250, A, null),
      answers(1250, 2),
      covers(1250, false),
    ],
  },
  {
    name: 'an answer to an earlier chart uncovers nothing',
    lines: [
      ...LISTENS,
      opens(1000, B),
      covers(1000, true),
      sends(1250, 2, B),
      gets(1250, B, A),
      opens(1500, C),
      sends(1750, 3, C),
      answers(1800, 2),
      gets(1800, C, B),
      answers(1900, 3),
      covers(1900, false),
    ],
  },
  {
    name: 'an app that never listens is uncovered at its own chart',
    lines: [
      ...begins(A),
      opens(1000, B),
      covers(1000, true),
      opens(20_000, A),
      covers(20_250, false),
    ],
  },
]

export const buildChartVectors = () => ({
  about:
    'Charts beside an app whose onChartChange is "event": what a host sends and an app answers. The README of the package says how to run them.',
  key: KEY,
  app_id: APP_ID,
  vectors,
})
