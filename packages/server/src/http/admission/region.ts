// Decides which callers a server-to-server address answers: those in an allowed region. An unknown
// country is in none; an internal address is allowed outside production, or in a network that the operator names.
// Pure.
// Spec §8, contract §8, security T17.
import type { Caller } from './client-address.ts'

export interface RegionRule {
  /** The ISO 3166 codes of countries. */
  readonly allowed: readonly string[]
  readonly isProduction: boolean
  /** Whether the address is in one of the platform's own networks. */
  readonly isOwn?: (address: string) => boolean
}

/** The value in place of a list of countries: every country is allowed. */
export const EVERYWHERE = '*'

/** The reason of the refusal and what to do, or undefined when the caller is allowed. */
export function decideRegion(
  { address, kind }: Caller,
  country: string | undefined,
  { allowed, isProduction, isOwn }: RegionRule,
): string | undefined {
  // An unknown caller has no address of its own: the last certain one is a proxy's.
  if (kind !== 'unknown' && isOwn?.(address)) return undefined
  if (country !== undefined && kind === 'public' && allowed.includes(country)) return undefined
  const wanted = allowed.join(', ')
  if (kind === 'internal') {
    return isProduction
      ? `This request comes from an internal address, which is in no region, and only callers in ${wanted} ` +
          'are answered. An app server calls the public address of the service. If it did, the operator ' +
          'has to name the balancer in CHARTSIDE_TRUSTED_PROXIES; a network of the platform itself is ' +
          'named in CHARTSIDE_ALLOWED_NETWORKS.'
      : undefined
  }
  if (country !== undefined && allowed.includes(country)) return undefined
  const seen =
    kind === 'unknown'
      ? 'The origin of this request is unknown'
      : country === undefined
        ? `The country of ${address} is not known`
        : `This request comes from ${address} in ${country}`
  return (
    `${seen}, and only callers in ${wanted} are answered. Call from a server that is hosted there; ` +
    'for development from elsewhere use a VPN that ends there.'
  )
}

/** Says what is wrong with an item of the list of allowed regions; undefined when nothing is. */
export function describeBadRegion(item: string): string | undefined {
  if (item === EVERYWHERE) return undefined
  if (!/^[A-Z]{2}$/.test(item)) {
    return `has "${item}", which is not an ISO 3166 code of a country such as US, or *`
  }
  // A common code that no database has, such as UK, would allow no caller.
  const { region } = new Intl.Locale(`und-${item}`)
  return region === item ? undefined : `has "${item}"; its ISO 3166 code is ${region}`
}
