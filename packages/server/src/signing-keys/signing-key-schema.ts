// The schemas of signing keys, in and out: the check, the types of the handlers and the OpenAPI document come from
// them. Times and thumbprints, never a key.
import { closed, like, listOf, oneOf, optionalTime, time, titled } from '../http/payload.ts'
import { SIGNING_ALGORITHMS } from '../keys/signing-key.ts'

const KID = like('mvVg9QxKhFgHxYbtEIFpWAEzoIMeGpVi4U8nLHv7HJM')

export const SIGNING_KEY = titled(
  'ListedSigningKey',
  closed({
    kid: KID,
    alg: oneOf(...SIGNING_ALGORITHMS),
    state: {
      ...oneOf('published', 'signing', 'retiring', 'retired'),
      description:
        'published signs later, signing signs, retiring verifies what it signed, retired is gone.',
    },
    createdAt: time,
    signsFrom: {
      ...optionalTime,
      description: 'Null for a standby key that waits for a rotation by hand.',
    },
    publishedUntil: { ...optionalTime, description: 'Null while no later key is known.' },
  }),
)

export const SIGNING_KEYS = titled('SigningKeys', closed({ items: listOf(SIGNING_KEY) }))

export const ROTATION_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['alg'],
  properties: {
    alg: oneOf(...SIGNING_ALGORITHMS),
    afterSeconds: {
      type: 'integer',
      minimum: 0,
      maximum: 31_536_000,
      examples: [86_400],
      description: 'Not before so many seconds; the time of the prepublication without it.',
    },
  },
} as const

export const REVOCATION_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['kid'],
  properties: { kid: { ...KID, maxLength: 64 } },
} as const

export const NEXT_SIGNER = titled('NextSigner', closed({ kid: KID, signsFrom: time }))
