// The schemas of the payloads of the pre-flight, request and response. The check of requests, the types of
// the handler and the OpenAPI document come from them.
import {
  closed,
  id,
  integer,
  like,
  listOf,
  oneOf,
  orNull,
  textsLike,
  time,
  titled,
} from '../http/payload.ts'
import { CHECKS, FINDINGS, type FindingCode, OUTCOMES } from './finding.ts'

export const PREFLIGHT_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    origin: {
      type: 'string',
      maxLength: 200,
      description: 'An origin that opens the app in a frame, beside the configured host origins.',
      examples: ['chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
    },
    urls: {
      type: 'array',
      minItems: 1,
      maxItems: 6,
      items: { type: 'string', maxLength: 2048, examples: ['https://notes.example/launch'] },
      description: 'Which registered URLs to check. Without it the first six.',
    },
  },
} as const

const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'

const FINDING = titled(
  'PreflightFinding',
  closed(
    {
      check: { ...oneOf(...CHECKS), examples: ['frame_ancestors'] },
      code: {
        type: 'string',
        enum: Object.keys(FINDINGS) as FindingCode[],
        examples: ['host_not_admitted'],
      },
      outcome: { ...oneOf(...OUTCOMES), examples: ['failed'] },
      cause: like('frame-ancestors leaves a host origin out.'),
    },
    {
      fix: like('Add what is missing to frame-ancestors.'),
      missing: like(`frame-ancestors ${EXTENSION}`),
      seen: like("frame-ancestors 'self'"),
    },
  ),
)

const PAGE = titled(
  'PreflightPage',
  closed(
    {
      url: like('https://notes.example/launch'),
      uses: listOf(oneOf('launch', 'worker_launch', 'redirect', 'backchannel_logout')),
      outcome: { ...oneOf('passed', 'warning', 'failed'), examples: ['failed'] },
      findings: listOf(FINDING),
    },
    { status: { ...integer, examples: [200] }, milliseconds: { ...integer, examples: [84] } },
  ),
)

export const PREFLIGHT = titled(
  'Preflight',
  closed({
    appId: id('app'),
    checkedAt: time,
    hostOrigins: textsLike(EXTENSION),
    outcome: { ...oneOf('passed', 'warning', 'failed'), examples: ['failed'] },
    pages: listOf(PAGE),
    notChecked: {
      ...textsLike('https://notes.example/callback-2'),
      description: 'Registered URLs beyond the first six; name them in urls.',
    },
  }),
)

export const LAST_PREFLIGHT = titled(
  'LastPreflight',
  closed({
    last: {
      ...orNull(
        closed({
          checkedAt: time,
          outcome: { ...oneOf('passed', 'warning', 'failed'), examples: ['passed'] },
          isCurrent: {
            type: 'boolean',
            examples: [true],
            description: 'False when its addresses or the host origins have changed since.',
          },
        }),
      ),
      description: 'Null before the first one. A run with urls or an origin is not kept.',
    },
  }),
)
