// The authorization code in the address of the app's callback page (spec §2.2, §5.2). It is only
// read here, never taken out: the page's own callback check does that.

export interface Address {
  readonly location?: { readonly search: string }
}

export const readCode = ({ location }: Address): string | undefined =>
  new URLSearchParams(location?.search).get('code') ?? undefined
