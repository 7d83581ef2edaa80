// Finds the address of the caller: parses addresses in every spelling, behind the proxies that the
// operator trusts. An address in a header counts only when a trusted proxy wrote it; an unreadable
// one makes the caller unknown. Pure.
// Contract §8, RFC 7239 (the same chain in its older form), security T17.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { memoize } from '../../kernel/lru-map.ts'

export interface Caller {
  /** The address in its one spelling; an IPv4 address inside IPv6 is that IPv4 address. */
  readonly address: string
  /**
   * The kind is `internal` for loopback, private and the like. It is `unknown` for no address that belongs to
   * a network of the Internet, or when a proxy did not tell; then `address` is the last one that is certain.
   */
  readonly kind: 'public' | 'internal' | 'unknown'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [ipaddr.IPv4, number] | [ipaddr.IPv6, number]
export type IsTrusted = (address: Address) => boolean

const UNKNOWN_CALLER: Caller = { address: 'unknown', kind: 'unknown' }
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal'])
const INTERNAL: ReadonlySet<string> = new Set([...PRIVATE, 'loopback', 'carrierGradeNat'])

function parseAddress(text: string): Address | undefined {
  // The zone of a link-local address names a network card of this machine, not the caller.
  const [address = ''] = text.split('%')
  // ipaddr.js alone would take 0x7f.1 as well, and ::8.8.8.8, which no network has, for 8.8.8.8.
  return isIP(address) && !/^::\d+\./.test(address) ? ipaddr.process(address) : undefined
}

/** Parses one element of X-Forwarded-For; some proxies write the port too. */
function parseForwarded(text: string): Address | undefined {
  const [, bracketed, dotted] =
    /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text.trim()) ?? []
  return parseAddress(bracketed ?? dotted ?? text.trim())
}

function callerAt(address: Address): Caller {
  const text = address.toString()
  const range = address.range()
  if (INTERNAL.has(range)) return { address: text, kind: 'internal' }
  // The same in hexadecimal: a country database has its IPv4 addresses in ::/96.
  const isGlobal = range === 'unicast' && !text.startsWith('::')
  return { address: text, kind: isGlobal ? 'public' : 'unknown' }
}

/**
 * The caller: the peer or, while the hop is a trusted proxy, the next address of the header from the
 * right. Addresses further left were written by an untrusted hop.
 */
export function findCaller(
  peer: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: IsTrusted,
): Caller {
  let hop = parseAddress(peer ?? '')
  if (!hop) return UNKNOWN_CALLER
  const chain = forwardedFor?.split(',') ?? []
  while (chain.length > 0 && isTrusted(hop)) {
    const next = parseForwarded(chain.pop() ?? '')
    if (!next) return { address: hop.toString(), kind: 'unknown' }
    hop = next
  }
  return callerAt(hop)
}

/** These names may be listed as trusted proxies, beside addresses and ranges. */
const WORDS: Readonly<Record<string, (range: string) => boolean>> = {
  loopback: (range) => range === 'loopback',
  private: (range) => PRIVATE.has(range),
}

function parseRange(item: string): Range | undefined {
  const [address = '', length] = item.split('/')
  if (!isIP(address)) return undefined
  if (length === undefined) {
    const single = ipaddr.process(address)
    return [single, single.kind() === 'ipv4' ? 32 : 128] as Range
  }
  return ipaddr.isValidCIDR(item) ? (ipaddr.parseCIDR(item) as Range) : undefined
}

/** Says what is wrong with an item of the list of trusted proxies; undefined when nothing is. */
export function describeBadProxy(item: string): string | undefined {
  if (Object.hasOwn(WORDS, item)) return undefined
  const range = parseRange(item)
  if (!range) {
    return `has "${item}", which is not an address, a range such as 10.0.0.0/8, loopback or private`
  }
  const [address, length] = range
  if (length === 0) return `has "${item}", with which every caller could choose an address`
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    return `has "${item}"; write the IPv4 range instead`
  }
  return undefined
}

export function trustedProxies(items: readonly string[]): IsTrusted {
  const words = items.flatMap((item) => WORDS[item] ?? [])
  const ranges = items.flatMap((item) => {
    const range = parseRange(item)
    return range ? [range] : []
  })
  return (address) =>
    words.some((word) => word(address.range())) ||
    ranges.some(([network, length]) =>
      // Addresses of the two kinds never match, and ipaddr.js throws when asked.
      address.kind() === network.kind() ? address.match(network as never, length) : false,
    )
}

/** One caller has an IPv4 address at hand, or the /64 of an IPv6 address. Security T16. */
export const networkOf = memoize((address): string => {
  const parsed = parseAddress(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
})

/** Says what is wrong with an item of the list of allowed networks; undefined when nothing is. */
export const describeBadNetwork = (item: string): string | undefined =>
  item.endsWith('/0')
    ? `has "${item}", which is every address; CHARTSIDE_ALLOWED_REGIONS=* says so in plain words`
    : describeBadProxy(item)

/** The networks that no other installation shares: RFC 1918, RFC 6598, RFC 4193, loopback and link-local. */
const OWN_NETWORKS: readonly (Range | undefined)[] = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8'],
  ...['169.254.0.0/16', 'fc00::/7', 'fe80::/10', '::1/128'],
].map(parseRange)

/** Whether an item of the list of allowed networks has addresses of the Internet. Specification §8. */
export function isPublicNetwork(item: string): boolean {
  if (item in WORDS) return false
  const [network, length] = parseRange(item) ?? []
  return !OWN_NETWORKS.some((own) => {
    const [block, size = 0] = own ?? []
    const isOfKind = network !== undefined && network.kind() === block?.kind()
    return isOfKind && (length ?? 0) >= size && network.match(block as never, size)
  })
}

/** Whether an address is in one of these networks, such as those of the trusted proxies. */
export function networkMatcher(items: readonly string[]): (address: string) => boolean {
  const isListed = trustedProxies(items)
  return memoize((text) => {
    const address = parseAddress(text)
    return address !== undefined && isListed(address)
  })
}
