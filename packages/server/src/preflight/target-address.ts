// Decides which addresses a pre-flight may connect to, so that a registered URL or its redirect cannot make
// the service call an internal network: only addresses of the public Internet, and loopback where
// the service itself runs on a developer's machine. Pure. Security A18, P09.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses in public ranges at which cloud providers answer their own machines. */
const CLOUD_METADATA: ReadonlySet<string> = new Set(['168.63.129.16'])
/** All IPv6 addresses of the Internet; everything else is reserved, local or a translation. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]
/** Names that the public DNS never has (RFC 6761, RFC 7686, RFC 8375). They are not looked up. */
const SPECIAL_NAME =
  /(^|\.)(example|invalid|test|local|internal|intranet|lan|home|corp|onion|arpa|localhost)\.?$/

/** Whether a pre-flight may connect to an address; an IPv4 address inside IPv6 is that address. */
export function isPermittedAddress(text: string, allowsLoopback: boolean): boolean {
  if (!isIP(text) || text.includes('%')) return false
  const address = ipaddr.process(text)
  const range = address.range()
  if (range === 'loopback') return allowsLoopback
  if (range !== 'unicast' || CLOUD_METADATA.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(...GLOBAL_UNICAST)
}

/** The addresses of a name; none when it has none, or not in time. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * The permitted addresses of a host, from one resolution: the caller connects to one of them and asks
 * for no name again, so a name that changes its address in between gains nothing.
 */
export async function findPermittedAddresses(
  hostname: string,
  allowsLoopback: boolean,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string[]> {
  const found = await listAddresses(hostname, resolve, signal)
  return found.filter((address) => isPermittedAddress(address, allowsLoopback))
}

async function listAddresses(
  hostname: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) return [literal]
  if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1']
  return SPECIAL_NAME.test(hostname) || !hostname.includes('.') ? [] : resolve(hostname, signal)
}
