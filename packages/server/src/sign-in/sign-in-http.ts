// The edge of sign-in: how a client learns to sign in, password sign-in, sign-out. Gives no hint
// whether an address is known, by text, status or time. Contract §3, security U07.
import { type Call, type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { hashBearer, mintBearer, newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { updateMethodLastUsed } from '../users/user-store.ts'
import { admitCredentials } from './credentials.ts'
import { signedInBody } from './sign-in.ts'
import { endSignIn, insertSignIn } from './sign-in-store.ts'

export const SIGN_IN_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', minLength: 3, maxLength: 254, examples: ['amara@lakeside.example'] },
    password: { type: 'string', minLength: 1, maxLength: 1024 },
  },
} as const

export async function showSignInConfig(service: Service): Promise<Reply> {
  const { config } = service
  return {
    status: 200,
    body: {
      signInUrl: `${config.baseUrl}/auth/sign-in`,
      methods: config.passwordSignIn === 'on' ? ['password'] : [],
      identityProvider: null,
      sessionIdleSeconds: config.sessionIdleSeconds,
      sessionLifetimeSeconds: config.sessionLifetimeSeconds,
    },
  }
}

export async function signIn(
  service: Service,
  call: Call<{ email: string; password: string }>,
): Promise<Reply> {
  const { config, db, randomness } = service
  const { user, methodId } = await admitCredentials(service, call.body, call)
  const now = service.clock()
  const id = newId('sgn', now, randomness)
  const token = mintBearer('st', id, randomness)
  const expiresAt = now + config.sessionLifetimeSeconds * 1000
  await db.write(
    insertSignIn(
      { id, userId: user.id, createdAt: now, lastSeenAt: now, expiresAt },
      hashBearer(token),
    ),
    updateMethodLastUsed(methodId, now),
  )
  call.log.info({ user: user.id }, 'signed in')
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: signedInBody(token, rfc3339(expiresAt), user),
  }
}

export async function signOut(service: Service, call: PersonCall): Promise<Reply> {
  const sessions = await endSignIn(service.db, call.person.signInId, service.clock())
  const ended = { ended: 'signed_out' } as const
  await Promise.all(sessions.map((session) => service.watchers.notify(session, ended)))
  call.log.info({ user: call.person.user.id, sessions: sessions.length }, 'signed out')
  return { status: 204 }
}
