// OAuth rules for URLs, shared by server, host and command line: how a query is added to a
// registered URL, and which URLs may be registered. Pure text and URLs; no I/O, no dependency. RFC
// 6749 3.1.2, RFC 8252 7.3, contract §4 (URLs are https; http only for loopback).

/**
 * Appends parameters to a URL and leaves every byte of the URL as it is: its own query stays, and
 * nothing is normalised. Values are percent-encoded unless given already encoded.
 */
export function buildUrlWithQuery(
  url: string,
  parameters: Readonly<Record<string, string | { readonly encoded: string }>>,
): string {
  const added = Object.entries(parameters)
    .map(([name, value]) =>
      typeof value === 'string'
        ? `${name}=${encodeURIComponent(value)}`
        : `${name}=${value.encoded}`,
    )
    .join('&')
  if (!url.includes('?')) return `${url}?${added}`
  return /[?&]$/.test(url) ? url + added : `${url}&${added}`
}

/** Hosts that never leave the machine: the only ones that may be reached by http. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/**
 * Says why a URL cannot be registered; undefined when it can: https (http only for loopback), visible
 * ASCII, no fragment, no wildcard, no credentials. The text continues a sentence about the URL.
 */
export function findUrlProblem(value: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(value) || value.includes('\\')) {
    return 'has a space, a backslash or a character outside ASCII'
  }
  if (value.includes('*')) return 'has a wildcard; list each address exactly'
  if (value.includes('#')) return 'has a fragment (#)'
  // Without two slashes and a host a browser would resolve it against our own address.
  if (!/^[a-z]+:\/\/[^/?#@]+/i.test(value) || !URL.canParse(value)) {
    return 'is not an absolute URL with a host'
  }
  const url = new URL(value)
  if (url.username || url.password) return 'carries credentials'
  if (url.protocol === 'https:') return undefined
  if (url.protocol !== 'http:') return 'must be https'
  return isLoopbackHost(url.hostname) ? undefined : 'must be https; http is only for loopback hosts'
}
