// The headers of an app's pages: a Content-Security-Policy that allows the SDK script and, when the
// app restricts framing, the panel as its frame. Pure text. No X-Frame-Options: it cannot name an
// extension. Spec §5.5; security H01, H06.

export interface PolicyOptions {
  /** The `url` of the SDK manifest, or its origin. */
  readonly sdkUrl: string
  /**
   * Origins that may frame the app: the extension (`chrome-extension://…`) and the sandbox's EHR.
   * Without it the policy does not restrict framing; an empty list forbids framing.
   */
  readonly hostOrigins?: readonly string[]
  /** Allows script and style tags with this nonce. Use a new one for every answer. */
  readonly nonce?: string
  /** Sources to add, by directive, such as `{ 'img-src': ['https://images.example'] }`. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/**
 * Builds the Content-Security-Policy of an app's pages. Spec §5.5; Content Security Policy Level 3.
 * @throws TypeError when a source would break out of its directive, or sdkUrl has no web origin
 * @example const policy = buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: ['chrome-extension://…'] })
 */
export function buildContentSecurityPolicy(options: PolicyOptions): string {
  const { sdkUrl, hostOrigins, nonce, extra = {} } = options
  const own = nonce === undefined ? ["'self'"] : ["'self'", `'nonce-${nonce}'`]
  const directives = new Map<string, readonly string[]>([
    ['default-src', ["'none'"]],
    ['script-src', [...own, requireWebOrigin(sdkUrl)]],
    ['style-src', own],
    // The SDK talks to the extension in the page, so the platform needs no entry here.
    ['connect-src', ["'self'"]],
    ['img-src', ["'self'", 'data:']],
    ['font-src', ["'self'"]],
    ['base-uri', ["'none'"]],
    ['form-action', ["'self'"]],
  ])
  if (hostOrigins) directives.set('frame-ancestors', hostOrigins)
  for (const [named, sources] of Object.entries(extra)) {
    // A browser reads a directive once, whatever its case, and ignores the second (CSP3 2.2.1).
    const name = named.toLowerCase()
    directives.set(name, [...(directives.get(name) ?? []), ...sources])
  }
  return [...directives]
    .map(([name, sources]) => `${requireSource(name)} ${writeSources(sources)}`)
    .join('; ')
}

/**
 * Builds all headers for a page of an app; `policy` is from buildContentSecurityPolicy. Never throws. Spec
 * §5.5.
 * @example return new Response(page, { headers: buildSecurityHeaders(policy) })
 */
export const buildSecurityHeaders = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  // The address of the callback page holds the code at first.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** Other schemes have the origin "null", which matches no source. */
function requireWebOrigin(sdkUrl: string): string {
  const { protocol, origin } = new URL(sdkUrl)
  if (protocol === 'https:' || protocol === 'http:') return origin
  throw new TypeError(`sdkUrl must be the http(s) address of the SDK script, not ${protocol}`)
}

/** 'none' stands alone or not at all. */
function writeSources(sources: readonly string[]): string {
  const named = [...new Set(sources)]
    .filter((source) => !/^'none'$/i.test(source))
    .map(requireSource)
  return named.join(' ') || "'none'"
}

function requireSource(word: string): string {
  if (/^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/.test(word)) return word
  throw new TypeError(`${JSON.stringify(word)} cannot stand in a Content-Security-Policy.`)
}
