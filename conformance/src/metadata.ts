// Finds the metadata of the service under test and reads it once for all modules. It takes what is
// there and judges only whether a run is possible; discovery-modules.ts judges the content.
import { CannotRun, type HttpClient } from './http-client.ts'
import type { Metadata } from './target.ts'

/** Appends the path to the issuer (OpenID Connect Discovery 1.0, section 4). */
export const openidConfigurationUrl = (issuer: string) =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Inserts the name between host and path (RFC 8414, section 3.1). */
export function insertedUrl(issuer: string, name: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`
}

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** @throws CannotRun when there is no usable document. */
export async function loadMetadata(http: HttpClient, issuer: string): Promise<Metadata> {
  const url = openidConfigurationUrl(issuer)
  const answer = await http.send(url, {})
  if (answer.status !== 200 || !answer.json) {
    throw new CannotRun(
      `${url} answered ${answer.status}. Give --issuer when the issuer is not <base URL>/app-auth.`,
    )
  }
  const missing = NEEDED.filter((name) => typeof answer.json?.[name] !== 'string')
  if (missing.length > 0) throw new CannotRun(`${url} has no ${missing.join(', ')}.`)
  return answer.json as unknown as Metadata
}
