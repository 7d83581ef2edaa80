// What an e-mail domain of an account is, which text is one, and what a look at DNS makes of it. Pure.
// Contract §13.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** The finding `proved` means that the record was there at the last look. The others say why it was not. */
export const DOMAIN_FINDINGS = [
  ...(['proved', 'record_missing', 'record_differs'] as const),
  ...(['dns_unreachable', 'held_by_another'] as const),
] as const
export type DomainFinding = (typeof DOMAIN_FINDINGS)[number]

export interface Domain {
  readonly id: string
  readonly accountId: string
  /** The domain in lower case and ASCII (punycode). */
  readonly domain: string
  /** The token of the TXT record; another for each account. No secret: DNS shows it. */
  readonly token: string
  readonly createdAt: number
  /** The time since when it has been verified without a gap; undefined when it is not. */
  readonly verifiedAt: number | undefined
  /** The time at which the record was seen last. */
  readonly provedAt: number | undefined
  readonly checkedAt: number | undefined
  readonly finding: DomainFinding | undefined
}

/** A name has 253 characters at most, with `_chartside.` before it. */
const MAX_LENGTH = 253 - '_chartside.'.length
/** The parser of hosts would read past them: `lakeside.example/x` has a host. */
const OF_AN_ADDRESS = /[\s/\\?#@:%[\]]/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The name in the form that is compared; undefined when the text is no name of a public domain. */
export function parseDomain(typed: string): string | undefined {
  const text = typed.trim().replace(/\.$/, '')
  const name = OF_AN_ADDRESS.test(text) ? '' : domainToASCII(text)
  const labels = name.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label))
  const isNumber = /^[0-9]+$/.test(labels.at(-1) ?? '')
  return isName && !isNumber && isIP(name) === 0 && name.length <= MAX_LENGTH ? name : undefined
}

/** The domain of an e-mail address, compared as a whole: a part of it proves nothing. */
export function domainOfAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  return at < 1 ? undefined : parseDomain(address.slice(at + 1))
}

export const recordNameOf = (domain: string): string => `_chartside.${domain}`
export const recordValueOf = (token: string): string => `chartside-domain=${token}`

/** The texts of the TXT records at the name; `unreachable` when DNS did not say whether there are any. */
export type TxtAnswer = readonly string[] | 'unreachable'

export function judgeRecords(token: string, records: TxtAnswer): DomainFinding {
  if (records === 'unreachable') return 'dns_unreachable'
  if (records.some((text) => text.trim() === recordValueOf(token))) return 'proved'
  return records.length === 0 ? 'record_missing' : 'record_differs'
}

/** A domain stays verified this long after its record was seen last, while DNS does not answer. */
const UNREACHABLE_MS = 3 * 24 * 60 * 60_000

/** The domain as a look at DNS leaves it. */
export function checkedDomain(domain: Domain, finding: DomainFinding, now: number): Domain {
  const looked = { ...domain, finding, checkedAt: now }
  if (finding === 'proved') {
    return { ...looked, verifiedAt: domain.verifiedAt ?? now, provedAt: now }
  }
  const isWaiting = finding === 'dns_unreachable' && now - (domain.provedAt ?? 0) < UNREACHABLE_MS
  return { ...looked, verifiedAt: isWaiting ? domain.verifiedAt : undefined }
}

export type DomainState = 'pending' | 'verified' | 'lapsed'

export function stateOf({ verifiedAt, provedAt }: Domain): DomainState {
  if (verifiedAt !== undefined) return 'verified'
  return provedAt === undefined ? 'pending' : 'lapsed'
}

/** Explains a finding to the administrator, with a fix. */
export function explainFinding(
  { domain }: Pick<Domain, 'domain'>,
  finding: DomainFinding,
): { readonly cause: string; readonly fix?: string } {
  const name = recordNameOf(domain)
  switch (finding) {
    case 'proved':
      return { cause: `The record at ${name} proves the domain.` }
    case 'record_missing':
      return {
        cause: `There is no TXT record at ${name}.`,
        fix: 'Add it where the DNS of the domain is managed. A new record is seen after minutes, sometimes after hours. Some DNS pages add the domain to the name by themselves: enter _chartside alone there.',
      }
    case 'record_differs':
      return {
        cause: `The TXT record at ${name} has another value.`,
        fix: 'Copy the value from here exactly, without quotation marks. Another record of the same name may stay beside it.',
      }
    case 'dns_unreachable':
      return {
        cause: `The name servers of ${domain} did not answer.`,
        fix: 'Check again later. If it stays so, look whether the name servers of the domain work.',
      }
    case 'held_by_another':
      return {
        cause: 'The record is right, but another account here has proved the same domain.',
        fix: 'Remove the record of the other account from the DNS of the domain, then check again.',
      }
  }
}
