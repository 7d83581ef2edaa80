// Reads the authorization code from the address of the app's callback page (spec §2.2, §5.2). The
// app's own callback check removes it.

export interface Address {
  readonly location?: { readonly search: string }
}

export const readCode = ({ location }: Address): string | undefined =>
  new URLSearchParams(location?.search).get('code') ?? undefined
