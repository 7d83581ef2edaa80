// What the service publishes about itself, fetched at the first launch and kept: issuer, authorize
// endpoint, key set, SDK script. Never talks about a user. Spec §4.1, §4.4, §5.5.

export interface Service {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly jwksUri: string
  readonly sdkUrl: string
  readonly sdkIntegrity: string
}

export async function loadService(serviceUrl: string): Promise<Service> {
  const [metadata, sdk] = await Promise.all([
    loadJson(`${serviceUrl}/app-auth/.well-known/openid-configuration`),
    loadJson(`${serviceUrl}/sdk/manifest.json`),
  ])
  return {
    issuer: required(metadata, 'issuer'),
    authorizationEndpoint: required(metadata, 'authorization_endpoint'),
    jwksUri: required(metadata, 'jwks_uri'),
    sdkUrl: required(sdk, 'url'),
    sdkIntegrity: required(sdk, 'integrity'),
  }
}

async function loadJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}; is the service running?`)
  return (await response.json()) as Record<string, unknown>
}

function required(document: Record<string, unknown>, name: string): string {
  const value = document[name]
  if (typeof value !== 'string') throw new Error(`the service does not publish "${name}"`)
  return value
}
