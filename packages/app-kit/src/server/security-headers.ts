// The headers of an app's pages: a Content-Security-Policy that lets the SDK script in and, when the
// app restricts framing, the panel around it. Pure text. No X-Frame-Options: it cannot name an
// extension. Spec §5.5; security H01, H06.

export interface PolicyOptions {
  /** `url` of the SDK manifest, or its origin. */
  readonly sdkUrl: string
  /**
   * Who may frame the app: the origins of the extension (`chrome-extension://…`) and of the sandbox's EHR.
   * Left out, the policy does not restrict framing; an empty list forbids it.
   */
  readonly hostOrigins?: readonly string[]
  /** Allows script and style tags that carry it. Fresh for every answer. */
  readonly nonce?: string
  /** Sources to add, by directive, such as `{ 'img-src': ['https://images.example'] }`. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** @throws TypeError when a source would break out of its directive, or sdkUrl has no web origin */
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
    .map(([name, sources]) => `${checked(name)} ${writeSources(sources)}`)
    .join('; ')
}

/** Everything that a page of an app should carry; `policy` is from buildContentSecurityPolicy. */
export const buildSecurityHeaders = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  // The callback's address holds the code for a moment.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** Other schemes have the origin "null", which as a source lets nothing in. */
function requireWebOrigin(sdkUrl: string): string {
  const { protocol, origin } = new URL(sdkUrl)
  if (protocol === 'https:' || protocol === 'http:') return origin
  throw new TypeError(`sdkUrl must be the http(s) address of the SDK script, not ${protocol}`)
}

/** 'none' stands alone or not at all. */
function writeSources(sources: readonly string[]): string {
  const named = [...new Set(sources)].filter((source) => !/^'none'$/i.test(source)).map(checked)
  return named.join(' ') || "'none'"
}

function checked(word: string): string {
  if (/^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/.test(word)) return word
  throw new TypeError(`${JSON.stringify(word)} cannot stand in a Content-Security-Policy.`)
}
