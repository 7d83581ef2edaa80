// The published documents of the service: the issuer with its endpoints, and the address of the SDK
// script. Refuses metadata of another issuer. Sends nothing about a user.
// Spec §4.1, §5.5; OpenID Connect Discovery 1.0 §4.3 (issuer, to the byte); security D02.
import { ServiceError } from './errors.ts'
import { loadJson, requireText } from './load-json.ts'

export interface ServiceMetadata {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly jwksUri: string
}

/** The attributes for `<script src integrity crossorigin="anonymous">` (classic) or `type="module"`. */
export interface SdkManifest {
  readonly version: string
  readonly url: string
  readonly integrity: string
  readonly moduleUrl: string
  readonly moduleIntegrity: string
}

/** @throws ServiceError */
export async function loadMetadata(
  baseUrl: string,
  issuer: string,
  fetchFrom: typeof fetch,
): Promise<ServiceMetadata> {
  const url = `${baseUrl}/app-auth/.well-known/openid-configuration`
  const document = await loadJson(url, fetchFrom)
  const named = requireText(document, 'issuer', url)
  if (named !== issuer) {
    throw new ServiceError(
      'service_misdescribed',
      `${url} names the issuer ${named}, not ${issuer}.`,
    )
  }
  return {
    issuer,
    authorizationEndpoint: requireText(document, 'authorization_endpoint', url),
    tokenEndpoint: requireText(document, 'token_endpoint', url),
    jwksUri: requireText(document, 'jwks_uri', url),
  }
}

/** @throws ServiceError */
export async function loadManifest(baseUrl: string, fetchFrom: typeof fetch): Promise<SdkManifest> {
  const url = `${baseUrl}/sdk/manifest.json`
  const document = await loadJson(url, fetchFrom)
  return {
    version: requireText(document, 'version', url),
    url: requireText(document, 'url', url),
    integrity: requireText(document, 'integrity', url),
    moduleUrl: requireText(document, 'moduleUrl', url),
    moduleIntegrity: requireText(document, 'moduleIntegrity', url),
  }
}
