// What an interaction is: one step of a sign-in that a browser is in the middle of, and the data that
// the step keeps. It belongs to one pre-authentication session, lasts ten minutes and is redeemed
// once. Plain data.
import type { BoundTo } from '../../credentials/login-method.ts'
import { PageProblem } from '../../http/html/page-problem.ts'

export const INTERACTION_LIFETIME_MS = 10 * 60_000

/**
 * The purpose of a sign-in: a client that polls for its token, an invitation to accept, or the console
 * in this browser.
 */
export type SignInIntent =
  | { readonly for: 'console'; readonly returnTo: string }
  | ClientIntent
  | { readonly for: 'invitation'; readonly invitationId: string }

export interface ClientIntent {
  readonly for: 'client'
  readonly sessionHash: string
  readonly challenge: string
  /** The origin of the extension that opened the tab, if it is one. */
  readonly hostOrigin?: string | undefined
}

/** The user is authenticated by this login method; consent is still missing. */
export interface AuthenticatedUser {
  readonly intent: SignInIntent
  readonly userId: string
  readonly methodId: string
  /** The `auth_time` of the provider, 0 when it says none; only a sign-in at a provider has it. */
  readonly authenticatedAt?: number
  /** The only account that a sign-in at its provider reaches; its trail has the sign-in. */
  readonly boundTo?: string | undefined
}

/** An account at an identity provider that would become a login method. */
export interface ProviderBinding {
  /** The label of the login method. */
  readonly label: string
  /** Only a binding at a provider of an account has this value. */
  readonly bound?: BoundTo | undefined
  /** The invitation that the binding would accept. */
  readonly invitationId?: string | undefined
  /** Without an invitation the account lets its people join, and the sign-in goes on afterwards. */
  readonly joining?: DomainJoining | undefined
  readonly subject: string
  /** The address that the provider gives; shown, and relied upon in a proved domain only. */
  readonly address: string | undefined
}

/** The claims of a person who would join by the domain of the address, and where the sign-in goes on. */
export interface DomainJoining {
  readonly intent: SignInIntent
  readonly authenticatedAt: number
  readonly name: string | undefined
  readonly isEmailRefuted: boolean
  readonly hostedDomain: string | undefined
}

/** A comparison of match codes that holds for a while. */
export interface ComparedCode {
  readonly userId: string
  readonly hostOrigin: string
  /** The hash of the flow that this browser approved last. */
  readonly sessionHash: string
  readonly comparedAt: number
}

export interface InteractionData {
  /** The password was right; the page asks for a code of the second factor. */
  readonly second_factor: AuthenticatedUser
  /** The user has signed in at the provider; the page asks which accounts to join. */
  readonly joining: AuthenticatedUser
  /** The password was right; the page sets up the second factor that the user must have. */
  readonly enrolment: AuthenticatedUser
  /** The user is authenticated; the consent page asks whether to continue. */
  readonly approval: AuthenticatedUser
  /** The password was wrong; the page shows the typed address again. */
  readonly refused: { readonly email: string }
  /** The user compared the codes in this browser, for the extension in it. */
  readonly compared: ComparedCode
  /** A passkey may sign the challenge of this interaction. */
  readonly passkey: { readonly intent: SignInIntent }
  /** A new passkey may sign the challenge of this interaction. */
  readonly new_passkey: { readonly invitationId: string }
  /** The browser is at the identity provider. */
  readonly provider: {
    readonly intent: SignInIntent
    readonly isAgain: boolean
    /** A provider of an account; the installation's own when there is none. */
    readonly at?: Pick<BoundTo, 'providerId' | 'issuer'> | undefined
  }
  /** The person is back from the provider; a page asks whether that account becomes a login method. */
  readonly binding: ProviderBinding
}
export type InteractionKind = keyof InteractionData

export interface Interaction<Kind extends InteractionKind> {
  readonly id: string
  readonly data: InteractionData[Kind]
}

export const interactionExpired = () =>
  new PageProblem('used_already', {
    title: 'This step is over',
    happened: 'It was done, or it is older than ten minutes. Nothing is lost.',
    todo: 'Begin again from where you came: the side panel, your program or the console.',
  })
