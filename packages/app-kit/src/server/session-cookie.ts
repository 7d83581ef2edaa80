// The cookie of a session's refresh credential: unreadable by scripts, bound to this origin, usable
// in a third-party frame, one per session. Spec §5.6; H04.

export interface CookieRules {
  /** The name without prefix and id. */
  readonly name: string
  /** The path `/` makes it a `__Host-` cookie, which no subdomain can set in its place. */
  readonly path: string
}

export function buildCookie(
  rules: CookieRules,
  id: string,
  value: string,
  maxAgeSeconds: number,
): string {
  return (
    `${cookieName(rules, id)}=${value}; Path=${rules.path}; Max-Age=${maxAgeSeconds}; ` +
    'Secure; HttpOnly; SameSite=None; Partitioned'
  )
}

export function readCookie(rules: CookieRules, id: string, request: Request): string | undefined {
  const prefix = `${cookieName(rules, id)}=`
  return (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length)
}

/** Two launches in one browser share a cookie jar, so each session has a name of its own. */
const cookieName = ({ name, path }: CookieRules, id: string): string =>
  `${path === '/' ? '__Host-' : '__Secure-'}${name}-${id}`
