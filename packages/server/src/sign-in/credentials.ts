// Checks an e-mail address and a password, for the page and for POST /auth/sign-in alike, with the
// same work and the same answer whether the address is known or not. Security U07.
import { ApiError } from '../errors.ts'
import type { Service } from '../service.ts'
import { normalizeEmail } from '../users/user.ts'
import { findPasswordLogin, type PasswordLogin } from '../users/user-store.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** @throws ApiError wrong_credentials; not_found when password sign-in is switched off. */
export async function admitCredentials(
  { config, db, passwords }: Service,
  { email, password }: Credentials,
): Promise<PasswordLogin> {
  if (config.passwordSignIn === 'off') {
    throw new ApiError('not_found', 'Password sign-in is switched off on this server.')
  }
  const login = await findPasswordLogin(db, normalizeEmail(email))
  const isCorrect = await passwords.isCorrect(password, login?.passwordHash)
  if (login && isCorrect) return login
  throw new ApiError('wrong_credentials', 'Check the e-mail address and the password.')
}
