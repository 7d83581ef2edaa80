// Owns what a login method is: a password, a passkey, an account at the identity provider. Plain data.
// Contract §4 (Login method).

export type LoginMethodKind = 'password' | 'passkey' | 'oidc'

export interface LoginMethod {
  readonly id: string
  readonly userId: string
  readonly kind: LoginMethodKind
  /** What its owner knows it by. */
  readonly label: string
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

/** A method that is about to be stored, with what proves it. */
export interface NewLoginMethod {
  readonly id: string
  readonly kind: LoginMethodKind
  readonly label: string
  /** Only of a password. */
  readonly passwordHash?: string
  /** Of a passkey its credential id, of a provider's account its issuer and subject. */
  readonly subject?: string
  /** What a passkey needs besides; JSON. */
  readonly details?: string
}

/** Shorter ones fall to guessing at the pace that a stolen hash allows. */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 1024
