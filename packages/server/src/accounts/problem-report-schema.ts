// The schemas of problem reports, in and out. Every text is bounded, and no field is for a chart, an
// address or a bearer value. Contract §11, issue text of the panel: launch, trace, versions and one line.
import { atMost, closed, id, like, named, pageOf, time, titled, version } from '../http/payload.ts'

const VERSIONS = closed({}, { host: version, sdk: version, browser: version })
const TRACE_ID = {
  type: 'string',
  pattern: '^[0-9a-f]{16,32}$',
  examples: ['4bf92f3577b34da65f0c2d7e9b1a4c68'],
} as const
const WORDS = 'The note does not load.'

/** One line, without control and direction characters. */
const MESSAGE = { ...atMost(500), format: 'name', minLength: 1, examples: [WORDS] } as const

export const PROBLEM_REPORT_BODY = {
  ...closed(
    {},
    {
      message: {
        ...MESSAGE,
        description: 'One line of the user, who writes no names of patients.',
      },
      launchId: {
        ...id('lau'),
        description: 'Kept when it is a launch of the caller in this account.',
      },
      appId: {
        ...id('app'),
        description: 'Without a launch: an app of an EHR session of the caller here.',
      },
      traceId: TRACE_ID,
      versions: VERSIONS,
    },
  ),
  minProperties: 1,
} as const

export const PROBLEM_REPORT = titled(
  'ProblemReport',
  closed(
    { id: id('rpt'), userId: id('usr'), userName: like('Dr. Amara Okafor'), createdAt: time },
    {
      message: like(WORDS),
      app: named('app', 'Visit Notes'),
      launchId: { ...id('lau'), description: 'Absent once the launch is past its retention.' },
      traceId: TRACE_ID,
      versions: VERSIONS,
    },
  ),
)

export const PROBLEM_REPORTS = pageOf(PROBLEM_REPORT)
