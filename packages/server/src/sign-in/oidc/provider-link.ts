// Owns whether somebody whom the provider knows and we do not is one of our people. An address alone is
// weak proof: whoever was invited first may have set a password under it. So a provider's account is
// bound by address only to a person who has no way to sign in yet. Pure. docs/sign-in.md.
import type { ProviderAccount } from './identity-provider.ts'

export type LinkVerdict = 'link' | 'address_not_verified' | 'not_invited' | 'has_other_methods'

/** @param methods how many ways to sign in the person with this address has; undefined: nobody. */
export function decideLink(
  { email, isEmailVerified }: Pick<ProviderAccount, 'email' | 'isEmailVerified'>,
  methods: number | undefined,
): LinkVerdict {
  if (email === undefined || !isEmailVerified) return 'address_not_verified'
  if (methods === undefined) return 'not_invited'
  return methods === 0 ? 'link' : 'has_other_methods'
}

export const LINK_REFUSALS: Readonly<Record<Exclude<LinkVerdict, 'link'>, string>> = {
  address_not_verified:
    'The provider has not verified your e-mail address, so it cannot tell who you are here. Open the address of your invitation instead.',
  not_invited:
    'Nobody has invited the e-mail address that the provider gives for you. Ask the administrator of your practice.',
  has_other_methods:
    'You sign in here in another way already. Sign in that way, then add the provider to your login methods.',
}
