// The edge of sign-in: how a client learns to sign in, password sign-in, sign-out. Gives no hint
// whether an address is known, by text, status or time. Contract §3, security U07.

import type { ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import { revokeCredentialLinksStatement } from '../credentials/invitation-store.ts'
import { hasPasskeys } from '../credentials/passkey.ts'
import { makeReset } from '../credentials/reset.ts'
import { checkSecondFactor } from '../credentials/second-factor.ts'
import type { Answer, Call, PersonCall } from '../http/route.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import { hashBearer, mintBearer, newId } from '../kernel/identifiers.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { Service } from '../service.ts'
import {
  disableUserStatement,
  findUser,
  lockUserStatement,
  updateMethodLastUsedStatement,
} from '../users/user-store.ts'
import { hasProvider } from './oidc/identity-provider.ts'
import { admitCredentials } from './password/credentials.ts'
import { signedInBody } from './sign-in.ts'
import type { SIGN_IN_BODY, SIGN_IN_CONFIG, SIGN_OUT_BODY, SIGNED_IN } from './sign-in-schema.ts'
import {
  endEverySignInStatements,
  endedSessions,
  endSignIn,
  insertSignInStatement,
} from './sign-in-store.ts'
import { notifySignedOut } from './sign-out.ts'

export async function showSignInConfig({
  config,
}: Service): Promise<Answer<200, typeof SIGN_IN_CONFIG>> {
  return {
    status: 200,
    body: {
      signInUrl: `${config.baseUrl}/auth/sign-in`,
      methods: [
        ...(config.passwordSignIn === 'on' ? ['password'] : []),
        ...(hasPasskeys(config.baseUrl) ? ['passkey'] : []),
        ...(hasProvider(config) ? ['oidc'] : []),
      ],
      identityProvider: hasProvider(config) ? { name: config.oidcName } : null,
      sessionIdleSeconds: config.sessionIdleSeconds,
      sessionLifetimeSeconds: config.sessionLifetimeSeconds,
    },
  }
}

export async function signIn(
  service: Service,
  call: Call<never, typeof SIGN_IN_BODY>,
): Promise<Answer<200, typeof SIGNED_IN>> {
  const { config, db, randomness } = service
  const { user, methodId } = await admitCredentials(service, call.body, call)
  switch (await checkSecondFactor(service, user.id, call.body.totp, call)) {
    case 'missing':
      throw new ApiError(
        'second_factor_required',
        'Send the code of your authenticator app as totp.',
      )
    case 'wrong':
      throw new ApiError('wrong_credentials', 'The code is wrong, or was used before.')
  }
  const now = service.clock()
  const id = newId('sgn', now, randomness)
  const token = mintBearer('st', id, randomness)
  const expiresAt = now + config.sessionLifetimeSeconds * 1000
  const signIn = { id, userId: user.id, createdAt: now, lastSeenAt: now, expiresAt }
  const [, stored = []] = await db.write(
    lockUserStatement(user.id),
    insertSignInStatement(signIn, hashBearer(token), methodId),
    updateMethodLastUsedStatement(methodId, now),
  )
  if (stored.length === 0) {
    throw new ApiError('wrong_credentials', 'How you sign in was changed just now.')
  }
  call.log.info({ user: user.id }, 'signed in')
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: signedInBody(token, rfc3339(expiresAt), user),
  }
}

export async function signOut(
  service: Service,
  { person, body, log }: PersonCall<never, typeof SIGN_OUT_BODY>,
): Promise<Answer<204>> {
  const { db, clock } = service
  const now = clock()
  const { id } = person.user
  const sessions = body.everywhere
    ? endedSessions(
        await db.write(
          ...endEverySignInStatements(id, now),
          revokeCredentialLinksStatement(id, now),
        ),
      )
    : await endSignIn(db, person.signInId, now)
  await notifySignedOut(service, sessions)
  log.info({ user: id, sessions: sessions.length }, 'signed out')
  return { status: 204 }
}

/** A platform administrator takes a person off the platform; what they did stays in the trail. */
export async function removeUser(service: Service, call: PersonCall<'id'>): Promise<Answer<204>> {
  const { db } = service
  const user = requireAccess(call, 'user', await findUser(db, call.params.id), {})
  if (user.id === call.person.user.id) {
    throw new ApiError('conflict', 'Nobody removes themselves. Ask another platform administrator.')
  }
  const [, ...ended] = await db.write(
    disableUserStatement(user.id, call.now),
    ...endEverySignInStatements(user.id, call.now),
  )
  await notifySignedOut(service, endedSessions(ended))
  call.log.info({ user: user.id }, 'user removed')
  return { status: 204 }
}

export async function resetUser(
  service: Service,
  call: PersonCall<'id'>,
): Promise<Answer<201, typeof ONE_TIME_ADDRESS>> {
  const user = requireAccess(call, 'user', await findUser(service.db, call.params.id), {})
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: await makeReset(service, { userId: user.id, accountId: undefined }, call),
  }
}
