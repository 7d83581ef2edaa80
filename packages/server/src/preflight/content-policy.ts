// Reads Content-Security-Policy headers as a browser does, as far as a pre-flight needs: which origins may
// frame a page, which scripts and requests it allows. Pure. Content Security Policy Level 3.

/** One policy: the sources of each directive, as written. */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>

/** Several headers, or several policies in one header, all bind. */
export const parsePolicies = (headers: readonly string[]): ContentPolicy[] =>
  headers.flatMap((header) => header.split(',')).flatMap((text) => parsePolicy(text) ?? [])

function parsePolicy(text: string): ContentPolicy | undefined {
  const directives = new Map<string, readonly string[]>()
  for (const directive of text.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/[\t\n\f\r ]+/)
    // A browser reads the first of two directives with one name.
    const known = name.toLowerCase()
    if (known && !directives.has(known)) directives.set(known, sources)
  }
  return directives.size > 0 ? directives : undefined
}

/** The first of these directives that a policy has, with the name under which it stands. */
export function findDirective(
  policy: ContentPolicy,
  ...names: readonly string[]
): { readonly name: string; readonly sources: readonly string[] } | undefined {
  const name = names.find((candidate) => policy.has(candidate))
  return name === undefined ? undefined : { name, sources: policy.get(name) ?? [] }
}

/** Whether a script is judged by a nonce, a hash or the script that loads it, and not by its host. */
export const isByNonce = (sources: readonly string[]): boolean =>
  sources.some((source) => /^'(nonce-|sha\d+-|strict-dynamic')/i.test(source))

/** Whether a list of sources of a page at `self` has a URL. CSP3 6.7.2. */
export function admits(sources: readonly string[], url: string, self: string): boolean {
  const target = new URL(url)
  const page = new URL(self)
  return sources.some((source) => matches(source, target, page))
}

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
const portOf = ({ port, protocol }: URL) => port || (PORTS[protocol] ?? '')
/** http also stands for https. */
const isScheme = (allowed: string, actual: string) =>
  allowed === actual || (allowed === 'http:' && actual === 'https:')

function matches(source: string, target: URL, page: URL): boolean {
  const lower = source.toLowerCase()
  if (lower === '*') return /^https?:$/.test(target.protocol) || target.protocol === page.protocol
  if (lower === "'self'") {
    return isScheme(page.protocol, target.protocol) && target.host === page.host
  }
  if (/^[a-z][a-z0-9+.-]*:$/.test(lower)) return isScheme(lower, target.protocol)
  const [, scheme, host = '', port, path = ''] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?([^/:'"]+|\[[^\]]+\])(?::(\d+|\*))?(\/[^?#]*)?$/i.exec(source) ??
    []
  if (!host || !isScheme((scheme ?? page.protocol).toLowerCase(), target.protocol)) return false
  if (!isHost(host.toLowerCase(), target.hostname)) return false
  if (port === undefined ? target.port !== '' : port !== '*' && port !== portOf(target))
    return false
  return isPath(path, target.pathname)
}

const isHost = (pattern: string, host: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** A path with a final slash stands for all below it. An origin has no path to compare. */
const isPath = (pattern: string, path: string) =>
  pattern === '' ||
  (pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern) ||
  path === ''

/**
 * The policies that a page carries in meta elements. A browser ignores frame-ancestors and sandbox
 * there, so they count for scripts only.
 */
export function listMetaPolicies(html: string): string[] {
  const elements = html.match(/<meta\b[^<>]*>/gi) ?? []
  return elements.flatMap((element) => {
    if (!/http-equiv\s*=\s*["']?content-security-policy\b/i.test(element)) return []
    const [, , content = ''] = /\bcontent\s*=\s*(["'])(.*?)\1/is.exec(element) ?? []
    return content ? [content] : []
  })
}
