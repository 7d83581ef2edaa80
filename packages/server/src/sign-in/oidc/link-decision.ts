// Decides whether an unknown provider account belongs to one of our users. An e-mail address alone is
// weak proof: the user may have set a password under it before. So an account is bound by address
// only to a user without any login method. Pure. docs/use/sign-in.md.
import type { ProviderAccount } from './identity-provider.ts'

export type LinkVerdict = 'link' | 'address_not_verified' | 'not_invited' | 'has_other_methods'

/** @param methodCount login methods of the user with this address; undefined when there is no user. */
export function decideLink(
  { email, isEmailVerified }: Pick<ProviderAccount, 'email' | 'isEmailVerified'>,
  methodCount: number | undefined,
): LinkVerdict {
  if (email === undefined || !isEmailVerified) return 'address_not_verified'
  if (methodCount === undefined) return 'not_invited'
  return methodCount === 0 ? 'link' : 'has_other_methods'
}

export const LINK_REFUSALS: Readonly<Record<Exclude<LinkVerdict, 'link'>, string>> = {
  address_not_verified:
    'The provider has not verified your e-mail address, so it cannot tell who you are here. Open the address of your invitation instead.',
  not_invited:
    'The e-mail address that the provider gives for you is not invited here. Ask the administrator of your practice.',
  has_other_methods:
    'You sign in here in another way already. Sign in that way, then add the provider to your login methods.',
}
