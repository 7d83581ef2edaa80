// Reads a Set-Cookie header as far as a pre-flight needs: the name of the cookie and the attributes that decide
// whether a browser sends it from a frame. Never reads or keeps the value. Pure. RFC 6265bis, CHIPS.

export interface CookieAttributes {
  readonly name: string
  readonly sameSite: string | undefined
  readonly isSecure: boolean
  readonly isPartitioned: boolean
}

export function parseSetCookie(header: string): CookieAttributes | undefined {
  const [pair = '', ...attributes] = header.split(';')
  const name = pair.slice(0, Math.max(0, pair.indexOf('='))).trim()
  if (!name) return undefined
  const known = new Map(
    attributes.map((attribute) => {
      const [key = '', ...value] = attribute.split('=')
      return [key.trim().toLowerCase(), value.join('=').trim()] as const
    }),
  )
  // A cookie that is deleted is sent nowhere, so its attributes harm nothing.
  if (/^0+$|^-/.test(known.get('max-age') ?? '') || known.get('expires')?.includes('1970')) {
    return undefined
  }
  return {
    name,
    sameSite: known.get('samesite'),
    isSecure: known.has('secure'),
    isPartitioned: known.has('partitioned'),
  }
}
