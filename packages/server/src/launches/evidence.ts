// What a refused authorize request sent, and what is registered beside it: the evidence on the
// timeline and, in development, on the error page. Values come from strangers: they are cut, bearer
// values are removed, and invisible characters are written out. Pure. Contract §2, security V11.
import type { App } from '../apps/app.ts'
import { redactBearers } from '../kernel/identifiers.ts'
import type { Reason } from '../kernel/reasons.ts'

export interface NamedValue {
  readonly name: string
  readonly value: string
}

const MAX_SHOWN_CHARACTERS = 300
/** Ids are short; a longer value may be a secret in the wrong place. */
const SHOWN_CLIENT_ID = /^[A-Za-z0-9._-]{1,40}$/
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A value of a caller as it may be stored and shown: bounded, on one line, without bearer values. */
export function describeSent(name: string, value: unknown): NamedValue {
  if (typeof value !== 'string') return { name, value: '(not a text)' }
  if (name === 'client_id' && !SHOWN_CLIENT_ID.test(value)) {
    return { name, value: `(${value.length} characters that are not a client ID)` }
  }
  // The expressions below run on a bounded text.
  const start = redactBearers(value.slice(0, 4 * MAX_SHOWN_CHARACTERS).toWellFormed())
  const visible = start.replace(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
  const isCut = visible.length > MAX_SHOWN_CHARACTERS || value.length > 4 * MAX_SHOWN_CHARACTERS
  const shown = visible.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()
  return { name, value: isCut ? `${shown}… (${value.length} characters)` : shown }
}

const MAX_REGISTERED = 5

/** Lists what the app has registered in place of the values that a refusal names. */
export function listRegistered(
  app: Pick<App, 'clientId' | 'redirectUris'>,
  reason: Reason,
  sent: readonly NamedValue[],
): NamedValue[] {
  const sentAs = (name: string) => sent.find((one) => one.name === name)?.value
  const redirectUri = sentAs('redirect_uri')
  if (reason === 'redirect_uri_unregistered' && redirectUri !== undefined) {
    const nearest = app.redirectUris
      .map((uri) => ({ uri, likeness: likenessOf(uri, redirectUri) }))
      .sort((a, b) => b.likeness - a.likeness)
    return nearest.slice(0, MAX_REGISTERED).map(({ uri }) => ({ name: 'redirect_uri', value: uri }))
  }
  return sentAs('client_id') === undefined ? [] : [{ name: 'client_id', value: app.clientId }]
}

/** Counts the characters that two texts share at their start and at their end. */
function likenessOf(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start += 1
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return start + end
}
