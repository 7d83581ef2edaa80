// Who exchanged a code, as evidence for the owner of the app: caller address and country, how the client
// authenticated, and which secret it used or tried. Never the secret. One short JSON text on the row of
// the launch, or in the evidence of the failure. Pure. Contract §3, security K01, V18.
import type { RefusedSecretState, StoredSecret } from '../apps/client-secret.ts'
import type { PayloadOf } from '../http/route.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { EXCHANGE_CLIENT } from './launch-step-schema.ts'

export interface ExchangeClient {
  readonly address: string
  readonly country: string | undefined
  readonly method: 'client_secret_basic' | 'client_secret_post'
  readonly encoding: 'json' | 'form'
  /** Of this app only; undefined when the text that was sent names none. */
  readonly secretId: string | undefined
  /** `live`: it authenticated the client. */
  readonly secretState: 'live' | RefusedSecretState
}

/** Short names: each successful launch stores one. */
interface StoredForm {
  readonly ip: string
  readonly cc?: string
  readonly m: 'basic' | 'post'
  readonly f: 'json' | 'form'
  readonly s?: string
  /** Absent: live. */
  readonly x?: RefusedSecretState
}

export function formatExchangeClient(client: ExchangeClient): string {
  const { address, country, method, encoding, secretId, secretState } = client
  const stored: StoredForm = {
    ip: address,
    ...(country === undefined ? {} : { cc: country }),
    m: method === 'client_secret_basic' ? 'basic' : 'post',
    f: encoding,
    ...(secretId === undefined ? {} : { s: secretId }),
    ...(secretState === 'live' ? {} : { x: secretState }),
  }
  return JSON.stringify(stored)
}

export function parseExchangeClient(text: string | undefined): ExchangeClient | undefined {
  if (text === undefined) return undefined
  const { ip, cc, m, f, s, x }: StoredForm = JSON.parse(text)
  const method = m === 'basic' ? 'client_secret_basic' : 'client_secret_post'
  return { address: ip, country: cc, method, encoding: f, secretId: s, secretState: x ?? 'live' }
}

/** As the owner of the app reads it, with the row of the secret as it is now. */
export function exchangeClientBody(
  client: ExchangeClient,
  secrets: ReadonlyMap<string, StoredSecret>,
): PayloadOf<typeof EXCHANGE_CLIENT> {
  const { address, country, method, encoding, secretId, secretState: state } = client
  const row = secretId === undefined ? undefined : secrets.get(secretId)
  const optional = <K extends string>(name: K, at: number | undefined) =>
    at === undefined ? {} : ({ [name]: rfc3339(at) } as Record<K, string>)
  return {
    address,
    ...(country === undefined ? {} : { country }),
    method,
    encoding,
    secret: {
      state,
      ...(secretId === undefined ? {} : { id: secretId }),
      ...(row?.label === undefined ? {} : { label: row.label }),
      ...(row ? { createdAt: rfc3339(row.createdAt) } : {}),
      ...optional('expiresAt', row?.expiresAt),
      ...optional('retiredAt', row?.retiredAt),
    },
  }
}
