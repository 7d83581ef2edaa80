// Which values of an answer are secrets: bearer values, one-time addresses, recovery codes. The page shows them
// once, and leaves them out of the body that it shows and copies. Pure.

export interface Secret {
  /** The place where it stood: `/secret`. */
  readonly name: string
  readonly value: string
}

/** Fields that hold a secret, or an address that is one. */
const SECRET_FIELDS = new Set([
  ...['secret', 'token', 'invitationUrl', 'url', 'uri', 'qrCode', 'recoveryCodes', 'launch_id'],
])
const BEARER = /^(?:at|code|cs|st|lnch|invite)_[A-Za-z0-9_-]{30,}$/

const isSecret = (name: string, text: string, holder: object): boolean => {
  if (BEARER.test(text)) return true
  // `url` is a secret only as a one-time address, which says when it expires.
  if (name === 'url') return 'expiresAt' in holder
  return SECRET_FIELDS.has(name)
}

/** The value with its secrets cut; they are put into `found`. */
export function cut(value: unknown, path: string, found: Secret[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map((item, at) => cutOne(item, `${path}/${at}`, value, found))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      cutOne(part, `${path}/${name}`, value, found),
    ]),
  )
}

function cutOne(part: unknown, path: string, holder: object, found: Secret[]): unknown {
  if (typeof part !== 'string') return cut(part, path, found)
  const named = path.split('/').findLast((word) => !/^\d+$/.test(word)) ?? ''
  if (!isSecret(named, part, holder)) return part
  found.push({ name: path, value: part })
  return `(shown once, ends in ${part.slice(-4)})`
}
