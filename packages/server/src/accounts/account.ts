// What an account is: the practice whose providers work in the EHR, or the vendor that owns apps; and the
// collection version that configures it. Plain data. Contract §4 (Account).

export type JoinByDomain = 'provider' | 'off'

export interface Account {
  readonly id: string
  readonly name: string
  /** The operator's own systems call the account by it; no two accounts share one. */
  readonly externalId?: string | undefined
  /** The name that people type at the sign-in page; no two accounts share one. */
  readonly shortName?: string | undefined
  readonly collection: { readonly id: string; readonly version: number | 'latest' } | undefined
  /** A password sign-in of a member takes a second factor. */
  readonly requireSecondFactor: boolean
  /** The value `provider`: a sign-in at a provider of the account joins by a verified domain, without an invitation. */
  readonly joinByDomain: JoinByDomain
  readonly createdAt: number
  readonly updatedAt: number
}
