// Checks options at creation: a missing, wrong or unsafe one is refused with a TypeError that names
// the option and the fix, at start and not at the first launch. Never prints a value that may be a
// secret. `name` is the function and its option, such as `createAppKit: baseUrl`.
import { isLoopbackHost } from '@chartside/protocol/oauth'

/** @throws TypeError */
export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new TypeError(`${name} is missing. Is its environment variable set?`)
}

/**
 * An address that may receive a secret: https, or http to this machine.
 * @throws TypeError
 */
export function requireUrl(name: string, value: unknown, allowHttp = false): string {
  const text = requireText(name, value)
  if (!URL.canParse(text)) throw new TypeError(`${name} is not an absolute URL.`)
  const { protocol, hostname } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
  if (isSafe || (allowHttp && protocol === 'http:')) return text
  throw new TypeError(
    `${name} must be https; http is for this machine only, because a secret is sent there.`,
  )
}

/** The algorithms that may sign the tokens of an app: one of these is registered for it. */
export type SignedResponseAlg = 'RS256' | 'ES256'

/**
 * The one algorithm that is pinned; without a value the specification's.
 * @throws TypeError
 */
export function requireAlg(name: string, value: unknown = 'RS256'): SignedResponseAlg {
  if (value === 'RS256' || value === 'ES256') return value
  throw new TypeError(`${name} must be RS256 or ES256, as the app is registered.`)
}

/** @throws TypeError */
export function requireRange(name: string, value: unknown, max: number): number {
  if (typeof value === 'number' && value >= 0 && value <= max) return value
  throw new TypeError(`${name} must be a number from 0 to ${max}.`)
}

/**
 * A finite time above zero.
 * @throws TypeError
 */
export function requireDuration(name: string, value: unknown, max: number): number {
  if (typeof value === 'number' && value > 0 && value <= max) return value
  throw new TypeError(`${name} must be a number above 0, at most ${max}.`)
}

/** @throws TypeError */
export function requireOrigins(name: string, values: readonly unknown[] = []): string[] {
  return values.map((value) => {
    if (typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value) {
      return value
    }
    throw new TypeError(`${name} must hold origins such as https://app.example, not ${value}.`)
  })
}
