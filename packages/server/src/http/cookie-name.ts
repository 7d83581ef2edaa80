// How a cookie of the service is called: over https with the prefix that binds it to this host, on loopback with the
// port. Pure; each cookie has its own file. Security H04, V29.

/**
 * The prefix makes browsers refuse a cookie that another host of the domain has set. On loopback a browser sends the
 * cookies of a host to all of its ports, and another service there must not replace this one.
 */
export function cookieNameOf(baseUrl: string, name: string): string {
  const { protocol, port } = new URL(baseUrl)
  return protocol === 'https:' ? `__Host-${name}` : `${name}-${port || '80'}`
}
