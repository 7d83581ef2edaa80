// Checks an e-mail address and a password, for the page and for POST /auth/sign-in alike, with the
// same work and the same answer whether the address is known or not. Security U07.
import { beginPasswordAttempt } from '../../credentials/password-attempts.ts'
import { ApiError } from '../../kernel/errors.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import type { Service } from '../../service.ts'
import { findPasswordLogin, type PasswordLogin } from '../../users/user-store.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

interface Caller {
  readonly address: string
  readonly now: number
}

/**
 * @throws ApiError wrong_credentials; temporarily_unavailable when very many try at once; not_found
 *   when password sign-in is switched off
 * @throws RequestRefused when the password was wrong too often
 */
export async function admitCredentials(
  service: Service,
  credentials: Credentials,
  caller: Caller,
): Promise<PasswordLogin> {
  const { config, passwords } = service
  if (config.passwordSignIn === 'off') {
    throw new ApiError('not_found', 'Password sign-in is switched off on this server.')
  }
  return passwords.attempt(() => checkCredentials(service, credentials, caller))
}

async function checkCredentials(
  service: Service,
  { email, password }: Credentials,
  { address, now }: Caller,
): Promise<PasswordLogin> {
  const { db, passwords } = service
  const known = { email: normalizeEmail(email), address }
  const attempt = await beginPasswordAttempt(service, known, now)
  const login = await findPasswordLogin(db, known.email)
  const isCorrect = await passwords.isCorrect(password, login?.passwordHash)
  if (login && isCorrect) {
    await attempt.succeed()
    return login
  }
  throw new ApiError('wrong_credentials', 'Check the e-mail address and the password.')
}
