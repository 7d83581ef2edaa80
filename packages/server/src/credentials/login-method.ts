// What a login method is: a password, a passkey, an account at the identity provider. Plain data.
// Contract §4 (Login method).

export type LoginMethodKind = 'password' | 'passkey' | 'oidc'

export interface LoginMethod {
  readonly id: string
  readonly userId: string
  readonly kind: LoginMethodKind
  /** The name that its user sees. */
  readonly label: string
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

/** A login method to insert, with its secret or its subject. */
export interface NewLoginMethod {
  readonly id: string
  readonly kind: LoginMethodKind
  readonly label: string
  /** Only a password has this value. */
  readonly passwordHash?: string
  /** A passkey has its credential id here, a provider account its issuer and subject. */
  readonly subject?: string
  /** The stored passkey, as JSON. */
  readonly details?: string
  /** Only a method at a provider of an account has this value: a sign-in by it reaches this account alone. */
  readonly bound?: BoundTo
}

/** A provider of an account, as it was when the browser went there. Contract §13. */
export interface BoundTo {
  readonly providerId: string
  readonly issuer: string
  readonly accountId: string
}

/** A shorter password can be guessed from a stolen hash. */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 1024

export type PasswordProblem = keyof typeof PASSWORD_PROBLEMS

export const PASSWORD_PROBLEMS = {
  short: `Choose a password of ${MIN_PASSWORD_LENGTH} characters or more; a few words make a good one.`,
  long: 'This password is too long.',
  email: 'Your e-mail address is the first thing that is tried. Choose another password.',
} as const

/** Finds what is wrong with a new password of this user; undefined when nothing is. */
export function findPasswordProblem(password: string, email: string): PasswordProblem | undefined {
  const { length } = [...password]
  if (length < MIN_PASSWORD_LENGTH) return 'short'
  if (length > MAX_PASSWORD_LENGTH) return 'long'
  return password.trim().toLowerCase() === email.toLowerCase() ? 'email' : undefined
}
