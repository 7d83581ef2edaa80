// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import {
  bearer,
  closed,
  flag,
  id,
  like,
  orNull,
  pageOf,
  person,
  seconds,
  textsLike,
  time,
  titled,
} from '../http/payload.ts'

export const SIGN_IN_CONFIG = titled(
  'SignInConfig',
  closed({
    signInUrl: like('https://chartside.example/auth/sign-in'),
    methods: textsLike('password'),
    identityProvider: orNull(closed({ name: like('Lakeside Health') })),
    sessionIdleSeconds: seconds,
    sessionLifetimeSeconds: seconds,
  }),
)

export const SIGNED_IN = titled(
  'SignedIn',
  closed({
    token: { ...bearer('st'), description: 'Send it as a Bearer token.' },
    expiresAt: time,
    user: closed({ id: id('usr'), ...person }),
  }),
)

export const PENDING = closed({ status: { const: 'pending' } })

export const SIGN_IN_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', minLength: 3, maxLength: 254, examples: ['amara@lakeside.example'] },
    password: { type: 'string', minLength: 1, maxLength: 1024 },
    totp: { type: 'string', maxLength: 40, description: 'Code of the second factor, if any.' },
  },
} as const

export const SIGN_OUT_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    everywhere: { type: 'boolean', description: 'End every sign-in of yours, on every device.' },
  },
} as const

export const OPEN_SIGN_IN = titled(
  'OpenSignIn',
  closed({
    id: id('sgn'),
    isCurrent: { ...flag, description: 'The one with which this was asked.' },
    createdAt: time,
    lastSeenAt: { ...time, description: 'Recorded at most once a minute.' },
    endsAt: { ...time, description: 'When no activity follows.' },
    userAgent: { type: ['string', 'null'], examples: ['Mozilla/5.0 (Macintosh) Chrome/156.0'] },
    address: { type: ['string', 'null'], examples: ['203.0.113.20'] },
  }),
)

export const OPEN_SIGN_INS = pageOf(OPEN_SIGN_IN)

export const SIGN_IN_END = titled(
  'SignInEnd',
  closed({
    now: { ...time, description: 'By the clock of the service.' },
    endsAt: { ...time, description: 'The end of the sign-in when no activity follows.' },
    warnAt: { ...time, description: 'When a page should warn of it.' },
    reason: { enum: ['idle', 'expired'], description: 'Activity moves an idle end only.' },
  }),
)
