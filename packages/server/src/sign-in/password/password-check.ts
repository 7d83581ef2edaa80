// Authenticates a user by e-mail address and password, for the page and for POST /auth/sign-in alike.
// Work and reply are the same whether the address is known or not. Security U07.
import { findPasswordLogin, type PasswordLogin } from '../../credentials/login-method-store.ts'
import { beginPasswordAttempt } from '../../credentials/password-attempts.ts'
import { ApiError } from '../../kernel/errors.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import type { Service } from '../../service.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

interface Caller {
  readonly address: string
  readonly now: number
}

/**
 * @throws ApiError wrong_credentials; temporarily_unavailable when too many sign-ins run at once;
 *   not_found when password sign-in is off
 * @throws RequestRefused when the password was wrong too often
 */
export async function authenticateByPassword(
  service: Pick<Service, 'config' | 'db' | 'limits' | 'passwords'>,
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
  service: Pick<Service, 'db' | 'limits' | 'passwords'>,
  credentials: Credentials,
  { address, now }: Caller,
): Promise<PasswordLogin> {
  const { db, passwords } = service
  const email = normalizeEmail(credentials.email)
  const attempt = await beginPasswordAttempt(service, { email, address }, now)
  const login = await findPasswordLogin(db, email)
  const isCorrect = await passwords.isCorrect(credentials.password, login?.passwordHash)
  if (login && isCorrect) {
    await attempt.succeed()
    return login
  }
  throw new ApiError('wrong_credentials', 'Check the e-mail address and the password.')
}
