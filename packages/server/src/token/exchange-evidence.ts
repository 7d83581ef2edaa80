// What an exchange leaves on the launch of its code: who sent it, and after a refusal the failed step
// with the request as it arrived. Secrets are never part of it: of a code and of a secret only the kind.
// Contract §2 and §3, security K01, V11.
import type { HasApps } from '../apps/app-directory.ts'
import { decideRefusedSecret, type RefusedSecretState } from '../apps/client-secret.ts'
import { findStoredSecrets } from '../apps/client-secret-store.ts'
import { buildLaunchEvent } from '../audit/launch-event.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRegionGate } from '../http/admission/region-gate.ts'
import type { OAuthCall } from '../http/call.ts'
import type { OAuthError, OAuthErrorCode } from '../kernel/errors.ts'
import { newId, parseBearer } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import type { Reason } from '../kernel/reasons.ts'
import { describeSent, type NamedValue } from '../launches/evidence.ts'
import type { ExchangeClient } from '../launches/exchange-client.ts'
import { insertLaunchFailure } from '../launches/timeline/launch-failure-store.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import type { ClientCredentials, SecretCredentials } from './client-authentication.ts'

type Parts = HasClock & HasDatabase & HasMetrics & HasRandomness & HasSubscriptions

/** The error that the client got; the other reasons are `invalid_grant`. */
const ERROR_OF: Partial<Record<Reason, OAuthErrorCode>> = {
  exchange_from_page: 'invalid_request',
  secret_wrong: 'invalid_client',
  secret_retired: 'invalid_client',
  secret_expired: 'invalid_client',
  secret_of_another_app: 'invalid_client',
  assertion_malformed: 'invalid_client',
  assertion_audience: 'invalid_client',
  assertion_expired: 'invalid_client',
  assertion_key: 'invalid_client',
  assertion_replayed: 'invalid_client',
}

const REASON_OF: Partial<Record<RefusedSecretState, Reason>> = {
  retired: 'secret_retired',
  expired: 'secret_expired',
  of_another_app: 'secret_of_another_app',
}

type UsedSecret = Pick<ExchangeClient, 'secretId' | 'secretState'>

/** The caller of an exchange; `secret` is the one that authenticated it, or what the refused one was. */
export function buildExchangeClient(
  { regions }: HasRegionGate,
  call: Pick<OAuthCall, 'address' | 'contentType'>,
  credentials: ClientCredentials,
  secret: UsedSecret,
): ExchangeClient {
  const { method } = credentials
  const keyId = method === 'private_key_jwt' ? credentials.assertion.kid : undefined
  return {
    address: call.address,
    country: regions.findCountry(call.address),
    method,
    encoding: /json/i.test(call.contentType) ? 'json' : 'form',
    ...secret,
    ...(keyId === undefined ? {} : { keyId }),
  }
}

/** The secret that authenticated a client; none where a key did. */
export const usedSecret = (secretId: string | undefined): UsedSecret => ({
  secretId,
  secretState: secretId === undefined ? undefined : 'live',
})

/** Describes the method as the trail has it; without it the method is a client secret. */
export const describeAuthentication = (credentials: ClientCredentials) => {
  if (credentials.method !== 'private_key_jwt') return {}
  const { kid } = credentials.assertion
  const authentication = { method: credentials.method, ...(kid === undefined ? {} : { kid }) }
  return { authentication }
}

/** Says why a client was refused, for the owner of the app, and who it was. */
export async function describeRefused(
  service: HasApps & HasDatabase & HasRegionGate,
  call: Pick<OAuthCall, 'address' | 'contentType' | 'now'>,
  credentials: ClientCredentials,
  refusal: OAuthError,
): Promise<{ readonly reason: Reason; readonly client: ExchangeClient }> {
  const { reason, secret } =
    credentials.method === 'private_key_jwt'
      ? { reason: refusal.reason ?? 'assertion_malformed', secret: usedSecret(undefined) }
      : await findRefusedSecret(service, credentials, call.now)
  return { reason, client: buildExchangeClient(service, call, credentials, secret) }
}

/**
 * Finds which secret a refused client tried. It takes only an attempt that had a genuine code of the client,
 * so a caller who guesses causes no look-up.
 */
async function findRefusedSecret(
  { apps, db }: HasApps & HasDatabase,
  { clientId, clientSecret }: SecretCredentials,
  now: number,
): Promise<{ readonly reason: Reason; readonly secret: UsedSecret }> {
  const id = parseBearer('cs', 'sec', clientSecret)
  const client = await apps.findClient(clientId)
  const row = id === undefined ? undefined : (await findStoredSecrets(db, [id])).get(id)
  const state = decideRefusedSecret(row, client?.app.id ?? '', clientSecret, now)
  const isOwn = row !== undefined && row.appId === client?.app.id
  const secret = { secretId: isOwn ? id : undefined, secretState: state }
  return { reason: REASON_OF[state] ?? 'secret_wrong', secret }
}

/** The values of these fields are never stored, whatever form they have. */
const SECRET_FIELDS = {
  ...{ code: 'code', client_secret: 'cs' },
  ...{ code_verifier: undefined, client_assertion: undefined },
} as const

/** The fields of the request as they arrived, without their secrets. */
export function listSentFields(
  values: Readonly<Record<string, string | undefined>>,
): readonly NamedValue[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (!Object.hasOwn(SECRET_FIELDS, name)) return [describeSent(name, value)]
    const prefix = SECRET_FIELDS[name as keyof typeof SECRET_FIELDS]
    const isWhole = prefix !== undefined && value.startsWith(`${prefix}_`)
    return [{ name, value: `${isWhole ? `${prefix}_…` : '…'} (${value.length} characters)` }]
  })
}

export interface ExchangeFailure {
  readonly clientId: string
  readonly launchId: string
  readonly sessionId: string
  readonly reason: Reason
  /** The error that the client got and the exact mistake, where the reason alone does not say them. */
  readonly code?: OAuthErrorCode
  readonly detail?: string | undefined
  readonly sent: readonly NamedValue[]
  /** The client; absent for what a browser sent (its address is that of a person), and without credentials. */
  readonly client?: ExchangeClient
}

/** Stores a failed exchange on the timeline of the launch; the client had a code of the launch. */
export async function recordExchangeFailure(
  service: Parts,
  call: OAuthCall,
  { clientId, launchId, sessionId, reason, code, detail, sent, client }: ExchangeFailure,
): Promise<void> {
  const failure = {
    id: newId('evt', call.now, service.randomness),
    launchId,
    step: 'exchange',
    code: code ?? ERROR_OF[reason] ?? 'invalid_grant',
    reason,
    detail,
    traceId: call.traceId,
    receivedAt: call.receivedAt,
    failedAt: service.clock(),
    sent,
    client,
  } as const
  const action = reason === 'code_replayed' ? 'replay' : 'exchange'
  const step = { action, actor: clientId, target: clientId, launchId, reason } as const
  await insertLaunchFailure(service.db, failure, buildLaunchEvent(service, call, step))
  service.metrics.noteLaunch('failed', reason)
  void service.subscriptions.notify(sessionId, { launchId })
}
