// Ends what a person has by the identity provider of an account, when that provider says so: its sign-ins, their
// EHR sessions and tokens, and by them the sessions in apps. A sign-in that came otherwise goes on: no provider
// of one practice ends what a person has elsewhere. Global Token Revocation, contract §12 and §13, decision 82.
import { insertEventStatement } from '../../audit/audit-store.ts'
import { notifySessionsEnded } from '../../cluster/end-notification.ts'
import type { HasSubscriptions } from '../../cluster/session-subscriptions.ts'
import type { LoginMethod } from '../../credentials/login-method.ts'
import { findMethodBySubject, renewMethodStatement } from '../../credentials/login-method-store.ts'
import { text } from '../../db/row.ts'
import { sql } from '../../db/sql.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import type { Answer, OAuthCall } from '../../http/call.ts'
import { OAuthError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/identifiers.ts'
import { endSignInsOfProviderStatements } from '../../liveness/liveness-store.ts'
import { lockUserStatement } from '../../users/user-store.ts'
import { findProvider, type Parts } from './identity-provider.ts'
import { parseRevokedSubject } from './revocation-request.ts'
import {
  type AccountProvider,
  invalidRevocationToken,
  redeemRevocationToken,
} from './revocation-token.ts'

type RevocationParts = HasRateLimits & HasSubscriptions & Parts

export async function revokeByProvider(
  service: RevocationParts,
  call: OAuthCall,
): Promise<Answer<204>> {
  const { address, now, log } = call
  const provider = await authenticate(service, call).catch(async (error: unknown) => {
    if (isWrong(error)) await service.limits.count({ address }, now, 'directoryToken')
    throw error
  })
  const { issuer, of } = provider
  const sub = parseRevokedSubject(call.body, issuer)
  const known = await findMethodBySubject(service.db, 'oidc', `${of.providerId} ${issuer} ${sub}`)
  if (!known) {
    throw new OAuthError('invalid_request', 'No person is bound to this subject.', { status: 404 })
  }
  const ended = await endSignIns(service, { provider, method: known.method }, call)
  await notifySessionsEnded(service, ended, 'revoked')
  log.info({ provider: of.providerId, sessions: ended.length }, 'sign-ins ended by the provider')
  return { status: 204 }
}

const isWrong = (error: unknown) => error instanceof OAuthError && error.status === 401

/** The provider of the address, once it has proved that the request is its own. @throws OAuthError invalid_token */
async function authenticate(service: RevocationParts, call: OAuthCall): Promise<AccountProvider> {
  const { authorization, now, params } = call
  const provider = await findProvider(service, params.providerId ?? '')
  if (!provider?.of) throw invalidRevocationToken()
  const found = { ...provider, of: provider.of }
  await redeemRevocationToken(service, found, authorization, now)
  return found
}

/** Returns the EHR sessions that it ended. Its event is part of the write. */
async function endSignIns(
  { db, randomness }: RevocationParts,
  {
    provider: { of },
    method,
  }: { readonly provider: AccountProvider; readonly method: LoginMethod },
  { now, address, traceId }: OAuthCall,
): Promise<string[]> {
  const { userId } = method
  const results = await db.write(
    lockUserStatement(userId),
    renewMethodStatement(method.id, newId('mth', now, randomness)),
    ...endSignInsOfProviderStatements(of.providerId, sql`user_id = ${userId}`, {
      at: now,
      reason: 'revoked',
    }),
    insertEventStatement({
      ...{ id: newId('evt', now, randomness), at: now, accountId: of.accountId },
      ...{ actor: 'identity provider', action: 'revokeByProvider', target: userId },
      ...{ launchId: undefined, ip: address, outcome: 'ok' },
      detail: { trace: traceId, provider: of.providerId },
    }),
  )
  return (results[ENDED_AT] ?? []).map((row) => text(row, 'id'))
}

/** The position at which the write returns the EHR sessions that it ended. */
const ENDED_AT = 4
