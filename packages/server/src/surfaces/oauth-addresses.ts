// Tells at which addresses errors are OAuth errors: at those of the OAuth surface and at every other below
// the same first segment, such as one with a typing error. All others have problem details (RFC 9457).
import type { Route } from '../route.ts'

const firstSegment = (url: string): string => /^\/([^/?#]*)/.exec(url)?.[1] ?? ''

/** @returns whether the address, as the request line has it, has OAuth errors */
export function oauthAddresses(routes: readonly Route[]): (url: string | undefined) => boolean {
  const segments = new Set(
    routes.filter(({ surface }) => surface === 'oauth').map(({ path }) => firstSegment(path)),
  )
  return (url) => url !== undefined && segments.has(firstSegment(url))
}
