// The schemas of the payloads of a diagnosis, request and response. The check of requests, the types of the
// handler and the OpenAPI document come from them.
import { closed, like, titled } from '../http/payload.ts'
import { FINDINGS, type FindingCode } from '../preflight/finding.ts'

export const DIAGNOSIS_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    origin: {
      type: 'string',
      maxLength: 200,
      description: 'The origin of the host, one of the configured host origins.',
      examples: ['chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
    },
  },
} as const

export const DIAGNOSIS = titled(
  'Diagnosis',
  closed(
    {
      checked: {
        type: 'boolean',
        examples: [true],
        description: 'Whether the page was visited. Without a finding nothing on it is wrong.',
      },
    },
    {
      finding: closed({
        code: {
          type: 'string',
          enum: Object.keys(FINDINGS) as FindingCode[],
          examples: ['host_not_admitted'],
        },
        cause: like('frame-ancestors leaves a host origin out.'),
        fix: like('Add what is missing to frame-ancestors.'),
      }),
    },
  ),
)
