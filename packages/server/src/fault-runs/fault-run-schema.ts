// The schemas of the payloads of fault runs: what the command `faults --json` writes comes in, a graded run goes
// out. Every text and list is bounded. Contract §15.
import { OUTCOMES, PARTS, type Part, STEPS, VERDICTS } from '@chartside/protocol/fault-grade'
import {
  closed,
  id,
  integer,
  like,
  listOf,
  oneOf,
  orNull,
  pageOf,
  time,
  titled,
} from '../http/payload.ts'

const bounded = <const S extends object>(items: S, maxItems: number) =>
  ({ ...listOf(items), maxItems }) as const
const textLike = <const E extends string>(example: E, maxLength: number) =>
  ({ ...like(example), maxLength }) as const
const count = (most: number) => ({ ...integer, minimum: 0, maximum: most, examples: [1] }) as const

const NAME = { type: 'string', pattern: '^[a-z0-9-]{1,60}$', examples: ['state-changed'] } as const
const COMMIT = { type: 'string', pattern: '^[0-9a-f]{7,40}$', examples: ['9f31c02'] } as const
const PART_NAMES = Object.keys(PARTS) as [Part, ...Part[]]

const CHECK = titled(
  'FaultCheck',
  closed(
    {
      name: NAME,
      part: oneOf(...PART_NAMES),
      title: textLike('Exchanges nothing after a callback that it did not ask for', 300),
      state: oneOf(...VERDICTS),
      evidence: textLike('No code was sent.', 600),
    },
    {
      cause: textLike('A page of an attacker can sign your user in as another person.', 600),
      fix: textLike('Compare state and issuer before anything else.', 600),
    },
  ),
)

const FAULT = titled(
  'PlayedFault',
  closed(
    {
      name: NAME,
      step: oneOf(...STEPS),
      title: textLike('state is changed on its way back', 300),
      outcome: oneOf(...OUTCOMES),
      checks: bounded(CHECK, 20),
      tookMs: count(600_000),
    },
    {
      wire: bounded(
        closed({ atMs: count(600_000), event: textLike('The page asks authorize: 302', 300) }),
        30,
      ),
      saw: textLike('Open it again from the panel.', 600),
    },
  ),
)

const LEVEL = oneOf('A', 'B', 'C', 'D')
const BAR = closed({
  part: oneOf(...PART_NAMES),
  passed: count(2000),
  of: count(2000),
  percent: { type: ['integer', 'null'] },
})
const GRADE = closed(
  { level: LEVEL, points: count(100), bars: listOf(BAR) },
  { cap: closed({ at: LEVEL, fault: NAME, check: NAME }) },
)

const RUN_FIELDS = {
  app: textLike('Visit Notes', 200),
  startedAt: time,
  tookMs: count(3_600_000),
  faults: bounded(FAULT, 60),
} as const

/** The body as the command writes it. The grade is made again from the checks. */
export const FAULT_RUN_BODY = closed(RUN_FIELDS, {
  commit: COMMIT,
  grade: { type: 'object', description: 'Not read: the service grades the checks itself.' },
})

const RECORD = { id: id('frn'), appId: id('app'), receivedAt: time } as const

const COMPARISON = titled(
  'FaultRunComparison',
  closed(
    {
      startedAt: time,
      grade: closed({ level: LEVEL, points: count(100) }),
      better: listOf(NAME),
      worse: listOf(NAME),
    },
    { commit: COMMIT },
  ),
)

export const FAULT_RUN = titled(
  'FaultRun',
  closed(
    { ...RECORD, ...RUN_FIELDS, grade: GRADE, before: orNull(COMPARISON) },
    { commit: COMMIT },
  ),
)

export const FAULT_RUNS = pageOf(
  titled(
    'FaultRunSummary',
    closed(
      { ...RECORD, startedAt: time, level: LEVEL, points: count(100), faults: count(60) },
      { commit: COMMIT },
    ),
  ),
)
