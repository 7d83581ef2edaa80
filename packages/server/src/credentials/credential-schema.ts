// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import {
  closed,
  flag,
  like,
  optionalTime,
  pageOf,
  text,
  textsLike,
  time,
  titled,
} from '../http/payload.ts'

/** A link for its user; it works once. */
export const ONE_TIME_ADDRESS = closed({
  url: like('https://chartside.example/auth/invitation?token=…'),
  expiresAt: time,
})

/** The link of an administrator is mailed to them and shown to no other administrator. Security V22. */
export const MAILED_ADDRESS = closed({ sentTo: like('dr.reyes@lakeside.example'), expiresAt: time })

export const LOGIN_METHOD = titled(
  'LoginMethod',
  closed({
    id: text,
    kind: { type: 'string', enum: ['password', 'passkey', 'oidc'] },
    label: like('Password'),
    createdAt: time,
    lastUsedAt: optionalTime,
  }),
)

export const LOGIN_METHODS = pageOf(LOGIN_METHOD)

export const SECOND_FACTOR = closed({
  state: { enum: ['off', 'unconfirmed', 'on'] },
  isRequired: { ...flag, description: 'It cannot be turned off.' },
  recoveryCodesLeft: { type: 'integer', minimum: 0, examples: [10] },
})

/** Only this response has the codes; each replaces a code of the app once. */
export const RECOVERY_CODES = closed({ recoveryCodes: textsLike('mz4k-7q2d-x5na-pl3w') })

export const NEW_SECOND_FACTOR = closed({
  secret: { type: 'string', description: 'In base32, to type into the app.' },
  uri: { type: 'string', description: 'otpauth://…, the content of the QR code.' },
  qrCode: { type: 'string', description: 'SVG.' },
})

export const CODE_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['code'],
  properties: { code: { type: 'string', minLength: 6, maxLength: 40, examples: ['123456'] } },
} as const
