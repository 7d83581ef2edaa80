// Exchanges an authorization code for tokens at the service, from the server, once. Never retries
// (a code dies with its first attempt), never follows a redirect, never logs what it sends.
// Spec §4.2, §5.1, §7.
import { AppError, exchangeFailed, isRecord } from './app-error.ts'
import type { Settings } from './settings.ts'

export interface Tokens {
  readonly accessToken: string
  readonly idToken: string
}

type Credentials = Pick<Settings, 'tokenUrl' | 'clientId' | 'clientSecret'>

export async function exchangeCode(
  code: string,
  { tokenUrl, clientId, clientSecret }: Credentials,
  fetchFrom: typeof fetch = fetch,
): Promise<Tokens> {
  let response: Response
  try {
    response = await fetchFrom(tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        client_secret: clientSecret,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
  } catch (cause) {
    const late = cause instanceof DOMException && cause.name === 'TimeoutError'
    throw new AppError(
      late ? 504 : 502,
      {
        error: late ? 'token_endpoint_timeout' : 'service_unreachable',
        cause: late
          ? 'The token endpoint did not answer within 10 seconds.'
          : 'The token endpoint could not be reached.',
        fix: 'Check that the service runs, then launch the app again.',
      },
      { cause },
    )
  }
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw exchangeFailed(response.status, body)
  const fields = isRecord(body) ? body : {}
  if (typeof fields.access_token !== 'string' || typeof fields.id_token !== 'string') {
    throw new AppError(502, {
      error: 'token_response_incomplete',
      cause: 'The token endpoint answered without an access_token or an id_token.',
      fix: 'Ask for the scopes "launch openid", and check that CHARTSIDE_BASE_URL is the service.',
    })
  }
  return { accessToken: fields.access_token, idToken: fields.id_token }
}
