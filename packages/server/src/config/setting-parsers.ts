// Parses the text of a setting into its value, or into a problem that says what the text should be.
// Pure; knows no variable. settings.ts is the table that uses these parsers.
import { findUrlProblem } from '@chartside/protocol/oauth'
import { describeBadNetwork, describeBadProxy } from '../http/admission/client-address.ts'
import { describeBadRegion, EVERYWHERE } from '../http/admission/region.ts'

export type Parsed<T> = { value: T } | { problem: string }

export const text = (value: string): Parsed<string> => ({ value })

export function oneOf<const T extends string>(...allowed: T[]) {
  return (value: string): Parsed<T> => {
    const found = allowed.find((item) => item === value)
    return found ? { value: found } : { problem: `must be one of ${allowed.join(', ')}` }
  }
}

export function integer(min: number, max: number) {
  return (value: string): Parsed<number> => {
    const parsed = Number(value)
    return /^\d+$/.test(value) && parsed >= min && parsed <= max
      ? { value: parsed }
      : { problem: `must be a whole number from ${min} to ${max}` }
  }
}

/** A fraction, such as 0.25. */
export function share(value: string): Parsed<number> {
  const parsed = Number(value)
  return /^\d+(\.\d+)?$/.test(value) && parsed <= 1
    ? { value: parsed }
    : { problem: 'must be a number from 0 to 1' }
}

export function parseBaseUrl(value: string): Parsed<string> {
  if (value === '') return { value }
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    return { problem: 'must be an http(s) address without query, fragment or credentials' }
  }
  // Verifiers compare the issuer byte by byte, so there is one spelling: without a final slash.
  return value.endsWith('/') ? { problem: 'must not end with a slash' } : { value }
}

const listOf = (value: string) => value.split(',').flatMap((item) => item.trim() || [])

export function parseOrigins(value: string): Parsed<readonly string[]> {
  const origins = listOf(value)
  const bad = origins.find(
    (origin) => !/^(https?|chrome-extension|moz-extension):\/\/[^/?#@*]+$/.test(origin),
  )
  return bad === undefined
    ? { value: origins }
    : { problem: `has "${bad}", which is not an exact origin such as chrome-extension://<id>` }
}

export function parseProxies(value: string): Parsed<readonly string[]> {
  const items = listOf(value)
  const problem = items.map(describeBadProxy).find((found) => found !== undefined)
  return problem === undefined ? { value: items } : { problem }
}

export function parseNetworks(value: string): Parsed<readonly string[]> {
  const items = listOf(value)
  const problem = items.map(describeBadNetwork).find((found) => found !== undefined)
  return problem === undefined ? { value: items } : { problem }
}

export function parseRegions(value: string): Parsed<readonly string[]> {
  const items = listOf(value)
  const problem = items.map(describeBadRegion).find((found) => found !== undefined)
  if (problem !== undefined) return { problem }
  return items.length === 0 || (items.includes(EVERYWHERE) && items.length > 1)
    ? { problem: 'must be codes of countries, or * alone' }
    : { value: items }
}

export function parseSmtpUrl(value: string): Parsed<string> {
  if (value === '') return { value }
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^smtps?:$/.test(url.protocol) && url.hostname
    ? { value }
    : { problem: 'must be an address such as smtps://user:password@mail.example:465' }
}

export function parseEmail(value: string): Parsed<string> {
  return value === '' || /^[^\s@]+@[^\s@]+$/.test(value)
    ? { value }
    : { problem: 'must be an e-mail address' }
}

export function parseMasterKey(value: string): Parsed<string> {
  return value === '' || Buffer.from(value, 'base64').length === 32
    ? { value }
    : { problem: 'must be exactly 32 bytes in base64 (openssl rand -base64 32)' }
}

/** Discovery compares the issuer byte by byte, so a final slash stays. */
export function parseIssuer(value: string): Parsed<string> {
  if (value === '') return { value }
  const problem = findUrlProblem(value)
  return problem === undefined ? { value } : { problem }
}
