// Match patterns of EHR pages, as Chrome reads them: whether an address matches one, and the pattern of
// a whole host, which is what the browser grants and where the content script runs. Pure.
// Grammar: developer.chrome.com, "Match patterns".

const PARTS = /^(?<scheme>\*|https?):\/\/(?<host>[^/]*?)(?::(?<port>\d+|\*))?(?<path>\/.*)$/su

interface Parts {
  readonly scheme: string
  readonly host: string
  readonly port: string
  readonly path: string
}

function parse(pattern: string): Parts | null {
  const groups = PARTS.exec(pattern)?.groups
  if (!groups) return null
  const { scheme = '', host = '', port = '*', path = '' } = groups
  return host === '' || host === '*' ? null : { scheme, host: host.toLowerCase(), port, path }
}

export function matchesPattern(pattern: string, address: string): boolean {
  const parts = parse(pattern)
  const url = URL.parse(address)
  if (!parts || !url) return false
  const scheme = url.protocol.slice(0, -1)
  if (parts.scheme === '*' ? !['http', 'https'].includes(scheme) : parts.scheme !== scheme) {
    return false
  }
  const port = url.port || (scheme === 'https' ? '443' : '80')
  if (parts.port !== '*' && parts.port !== port) return false
  return isHost(parts.host, url.hostname) && isPath(parts.path, url.pathname + url.search)
}

function isHost(wanted: string, host: string): boolean {
  if (!wanted.startsWith('*.')) return host === wanted
  const name = wanted.slice(2)
  return host === name || host.endsWith(`.${name}`)
}

/** A * stands for any characters; without regular expressions, so that no pattern is slow. */
function isPath(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (!path.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return path === first
  let at = first.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

/**
 * The pattern of every page of the host: a single-page EHR reaches the pattern's path without a
 * load, and permissions ignore paths. Null for a pattern that is none.
 * @param anyScheme in place of a *, which the browser refuses to a build that asks for https only
 */
export function widenToHost(pattern: string, anyScheme: '*' | 'https' = '*'): string | null {
  const parts = parse(pattern)
  if (!parts) return null
  const { scheme, host } = parts
  return `${scheme === '*' ? anyScheme : scheme}://${host}/*`
}
