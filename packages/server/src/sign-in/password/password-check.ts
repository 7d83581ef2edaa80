// Authenticates a user by e-mail address and password, for the page and for POST /auth/sign-in alike.
// Work and reply are the same whether the address is known or not. Security U07.
import type { HasConfig } from '../../config/config.ts'
import { findPasswordLogin, type PasswordLogin } from '../../credentials/login-method-store.ts'
import type { HasPasswords } from '../../credentials/password.ts'
import { beginPasswordAttempt } from '../../credentials/password-attempts.ts'
import type { HasDatabase } from '../../db/database.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { HasLog } from '../../kernel/log.ts'
import { normalizeEmail } from '../../kernel/user.ts'
import { alertEmergencyAttempt } from '../emergency-access.ts'

type Parts = HasConfig & HasDatabase & HasRateLimits & HasLog & HasPasswords

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
  service: Parts,
  credentials: Credentials,
  caller: Caller,
): Promise<PasswordLogin> {
  const { config, passwords } = service
  const login = await passwords
    .attempt(() => checkCredentials(service, credentials, caller))
    .catch((error: unknown) => {
      const isWrong = error instanceof ApiError && error.code === 'wrong_credentials'
      throw isWrong && config.passwordSignIn === 'off' ? switchedOff() : error
    })
  if (config.passwordSignIn === 'off' && !login.user.isEmergency) throw switchedOff()
  return login
}

/** The same for every address and password but those of the emergency account. */
const switchedOff = () =>
  new ApiError('not_found', 'Password sign-in is switched off on this server.')

async function checkCredentials(
  service: HasDatabase & HasRateLimits & HasLog & HasPasswords,
  credentials: Credentials,
  { address, now }: Caller,
): Promise<PasswordLogin> {
  const { db, passwords } = service
  const email = normalizeEmail(credentials.email)
  const login = await findPasswordLogin(db, email)
  // Its password has 144 random bits: a counter over all networks would only lock it. [V23]
  const isGuessable = !login?.user.isEmergency
  const attempt = await beginPasswordAttempt(service, { email, address, isGuessable }, now)
  const isCorrect = await passwords.isCorrect(credentials.password, login?.passwordHash)
  if (login && isCorrect) {
    await attempt.succeed()
    return login
  }
  if (login?.user.isEmergency) alertEmergencyAttempt(service.log, login.user, address)
  throw new ApiError('wrong_credentials', 'Check the e-mail address and the password.')
}
