// Owns what a browser can be in the middle of, and what each such step remembers. A step belongs to
// one browser, lasts ten minutes and is taken once. Plain data.
export const STEP_LIFETIME_MS = 10 * 60_000

/** What somebody signs in for: a client that waits, or an invitation that they accept. */
export type SignInIntent =
  | { readonly for: 'client'; readonly sessionHash: string; readonly challenge: string }
  | { readonly for: 'invitation'; readonly invitationId: string }

/** Somebody has proven who they are, by this login method. */
export interface AuthenticatedUser {
  readonly errand: SignInIntent
  readonly userId: string
  readonly methodId: string
}

/** An account at the provider, and the invitation that the browser came with. */
export interface Binding {
  readonly invitationId: string
  readonly subject: string
  /** As the provider says it; shown, and never relied upon. */
  readonly address: string | undefined
}

export interface InteractionData {
  /** The password was right; a code of the second factor is asked for. */
  readonly second_factor: AuthenticatedUser
  /** Everything was right; the person is asked whether they want it. */
  readonly approval: AuthenticatedUser
  /** A passkey may sign the challenge of this step. */
  readonly passkey: { readonly errand: SignInIntent }
  /** A new passkey may sign the challenge of this step. */
  readonly new_passkey: { readonly invitationId: string }
  /** The browser is at the identity provider. */
  readonly provider: { readonly errand: SignInIntent }
  /** Back from there: the person is asked whether the account is to sign in as the one invited. */
  readonly binding: Binding
}
export type StepKind = keyof InteractionData

export interface Interaction<Kind extends StepKind> {
  readonly id: string
  readonly data: InteractionData[Kind]
}
