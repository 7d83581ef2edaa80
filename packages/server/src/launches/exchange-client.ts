// Who exchanged a code, as evidence for the owner of the app: caller address and country, how the client
// authenticated, and which secret it used or tried. Never the secret. One short JSON text on the row of
// the launch, or in the evidence of the failure. Pure. Contract §3, security K01, V18.
import type { RefusedSecretState, StoredSecret } from '../apps/client-secret.ts'
import type { PayloadOf } from '../http/call.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { EXCHANGE_CLIENT } from './launch-step-schema.ts'

export interface ExchangeClient {
  readonly address: string
  readonly country: string | undefined
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'
  readonly encoding: 'json' | 'form'
  /** A secret of this app only; undefined when the text that was sent names none. */
  readonly secretId: string | undefined
  /** The state; `live` when it authenticated the client, undefined where a key did, or should have. */
  readonly secretState: 'live' | RefusedSecretState | undefined
  /** The `kid` of the assertion; undefined without one. */
  readonly keyId?: string | undefined
}

/** The names are short: each successful launch stores one. */
interface StoredForm {
  readonly ip: string
  readonly cc?: string
  readonly m: 'basic' | 'post' | 'jwt'
  readonly f: 'json' | 'form'
  readonly s?: string
  /** The state; absent for a live one, or no secret. */
  readonly x?: RefusedSecretState
  readonly k?: string
}

const SHORT = {
  client_secret_basic: 'basic',
  client_secret_post: 'post',
  private_key_jwt: 'jwt',
} as const

export function formatExchangeClient(client: ExchangeClient): string {
  const { address, country, method, encoding, secretId, secretState, keyId } = client
  const stored: StoredForm = {
    ip: address,
    ...(country === undefined ? {} : { cc: country }),
    m: SHORT[method],
    f: encoding,
    ...(secretId === undefined ? {} : { s: secretId }),
    ...(secretState === undefined || secretState === 'live' ? {} : { x: secretState }),
    ...(keyId === undefined ? {} : { k: keyId }),
  }
  return JSON.stringify(stored)
}

export function parseExchangeClient(text: string | undefined): ExchangeClient | undefined {
  if (text === undefined) return undefined
  const { ip, cc, m, f, s, x, k }: StoredForm = JSON.parse(text)
  const from = { address: ip, country: cc, encoding: f, secretId: s } as const
  if (m === 'jwt') return { ...from, method: 'private_key_jwt', secretState: undefined, keyId: k }
  const method = m === 'basic' ? 'client_secret_basic' : 'client_secret_post'
  return { ...from, method, secretState: x ?? 'live' }
}

/** Builds the client as the owner of the app reads it, with the row of the secret as it is now. */
export function exchangeClientBody(
  client: ExchangeClient,
  secrets: ReadonlyMap<string, StoredSecret>,
): PayloadOf<typeof EXCHANGE_CLIENT> {
  const { address, country, method, encoding, secretId, secretState: state, keyId } = client
  const row = secretId === undefined ? undefined : secrets.get(secretId)
  const optional = <K extends string>(name: K, at: number | undefined) =>
    at === undefined ? {} : ({ [name]: rfc3339(at) } as Record<K, string>)
  return {
    address,
    ...(country === undefined ? {} : { country }),
    method,
    encoding,
    ...(keyId === undefined ? {} : { keyId }),
    ...(state === undefined
      ? {}
      : {
          secret: {
            state,
            ...(secretId === undefined ? {} : { id: secretId }),
            ...(row?.label === undefined ? {} : { label: row.label }),
            ...(row ? { createdAt: rfc3339(row.createdAt) } : {}),
            ...optional('expiresAt', row?.expiresAt),
            ...optional('retiredAt', row?.retiredAt),
          },
        }),
  }
}
