// Reads and describes a database URL for the commands: the path of a file, and never a password, also
// not of an invalid URL. Pure; opens nothing.

/** The path in a `file:` URL; undefined for any other. */
export const pathOf = (url: string): string | undefined =>
  url.startsWith('file:') ? url.replace(/^file:(\/\/)?/, '') : undefined

/** The expression reads up to the last @, so that a password with a forgotten %-escape is cut out too. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#:@]*).*@)?([\w.,:[\]-]*)(\/[\w.%~-]*)?(?:\?|$)/s
/** A host must match: without a numeric port it may be `user:password`. */
const HOST = /^(?:[\w.-]*|\[[\w:.]*\])(?::\d+)?$/

/** A database URL as it may be printed: without password and parameters. */
export function describeUrl(url: string): string {
  if (pathOf(url) !== undefined) return url
  const [, scheme, user = '', hosts = '', path = ''] = PARTS.exec(url) ?? []
  const isReadable = scheme !== undefined && hosts.split(',').every((host) => HOST.test(host))
  return isReadable
    ? `${scheme}${user && `${user}@`}${hosts}${path}`
    : '(a URL that cannot be read)'
}
