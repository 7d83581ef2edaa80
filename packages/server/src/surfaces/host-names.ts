// Which host names a service on loopback answers. A page of a name that an attacker points to this machine (DNS
// rebinding) has that name in Host, so it reads nothing and signs in nowhere. Pure. RFC 9110 15.5.20, security V29.
import { isLoopbackHost } from '@chartside/protocol/oauth'
import { ApiError, OAuthError } from '../kernel/errors.ts'

/** The text of the header is compared, not a parsed address: other spellings of an address are refused. */
const HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Returns the check for a loopback base URL. Elsewhere a proxy decides which names arrive. */
export function isForeignHost(baseUrl: string): (host: string | undefined) => boolean {
  if (!isLoopbackHost(new URL(baseUrl).hostname)) return () => false
  // Only HTTP/1.0 comes without one, as from the health check of a proxy; every browser sends it.
  return (host) => {
    if (host === undefined) return false
    const name = HOST.exec(host)?.[1]
    return name === undefined || !isLoopbackHost(name.toLowerCase())
  }
}

export function wrongHost(baseUrl: string, isOAuth: boolean): ApiError | OAuthError {
  const message = `This service runs on this machine only and answers at ${baseUrl}. Another name takes another CHARTSIDE_BASE_URL.`
  return isOAuth
    ? new OAuthError('invalid_request', message, { status: 421 })
    : new ApiError('wrong_host', message)
}
