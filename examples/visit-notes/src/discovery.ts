// Finds out, once, what the service publishes about itself: the issuer and its endpoints, the key
// set, and where the SDK script is served. Retries on the next request when the service was down.
// Never talks about a user. Spec §4.1, §4.4; OpenID Connect Discovery 1.0 §4.
import { AppError, isRecord } from './app-error.ts'

export interface Service {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly jwksUri: string
  readonly sdkUrl: string
  readonly sdkIntegrity: string
}

export function createDiscovery(serviceUrl: string, fetchJson = loadJson): () => Promise<Service> {
  let known: Promise<Service> | undefined
  return () => {
    known ??= discover(serviceUrl, fetchJson).catch((cause: unknown) => {
      known = undefined
      throw new AppError(
        502,
        {
          error: 'service_unreachable',
          cause: `Chartside did not describe itself at ${serviceUrl}.`,
          fix: 'Start the service, or correct CHARTSIDE_BASE_URL of this server.',
        },
        { cause },
      )
    })
    return known
  }
}

async function discover(serviceUrl: string, fetchJson: typeof loadJson): Promise<Service> {
  const [metadata, sdk] = await Promise.all([
    fetchJson(`${serviceUrl}/app-auth/.well-known/openid-configuration`),
    fetchJson(`${serviceUrl}/sdk/manifest.json`),
  ])
  return {
    issuer: text(metadata, 'issuer'),
    authorizationEndpoint: text(metadata, 'authorization_endpoint'),
    jwksUri: text(metadata, 'jwks_uri'),
    sdkUrl: text(sdk, 'url'),
    sdkIntegrity: text(sdk, 'integrity'),
  }
}

async function loadJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}

function text(document: unknown, name: string): string {
  const value = isRecord(document) ? document[name] : undefined
  if (typeof value !== 'string' || value === '') throw new Error(`"${name}" is missing`)
  return value
}
