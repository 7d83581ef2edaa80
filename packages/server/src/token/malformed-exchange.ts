// An exchange whose form is wrong. One that names a code and its own client, in whatever form, spends that code
// (spec §7: a failed exchange cannot be retried with the same code) and stands on its launch, so that its developer
// need not guess. Any other caller changes nothing. Contract §2, §3, security C08, T08, V38.

import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasDatabase } from '../db/database.ts'
import type { OAuthCall } from '../http/call.ts'
import { parametersFromBody, parseParameters } from '../http/input/parameters.ts'
import { OAuthError } from '../kernel/errors.ts'
import { hashBearer, parseBearer } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { describeSent, type NamedValue } from '../launches/evidence.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { listSentFields, recordExchangeFailure } from './exchange-evidence.ts'
import { TOKEN_PARAMETERS } from './token-schema.ts'
import { findCodeFacts, invalidateCode } from './token-store.ts'

type Parts = HasClock & HasDatabase & HasMetrics & HasRandomness & HasSubscriptions

/** The code is found anywhere in a body or a query, whatever the content type says. */
const CODE = /code_[0-9A-Za-z_-]{65}(?![0-9A-Za-z_-])/

/** @throws the refusal; one without a reason is `exchange_malformed` */
export async function refuseMalformedExchange(
  service: Parts,
  call: OAuthCall,
  refusal: unknown,
): Promise<never> {
  if (!(refusal instanceof OAuthError)) throw refusal
  const { code, message, status, headers, reason = 'exchange_malformed' } = refusal
  const found = await findNamedCode(service, call)
  if (found) {
    const { clientId, launchId } = found
    await invalidateCode(service.db, launchId, found.codeHash, clientId, call.now)
    const sent = listSent(call)
    const { sessionId } = found
    const failure = { clientId, launchId, sessionId, code, reason, detail: message, sent }
    await recordExchangeFailure(service, call, failure)
  }
  throw new OAuthError(code, message, { status, headers, reason })
}

/** The launch of the code, when the request has a genuine one and names the client of it. */
async function findNamedCode({ db }: Parts, call: OAuthCall) {
  const [code] = CODE.exec(`${call.body} ${call.query}`) ?? []
  const launchId = code && parseBearer('code', 'lau', code)
  const facts = launchId ? await findCodeFacts(db, launchId) : undefined
  if (!code || !launchId || facts?.codeHash !== hashBearer(code)) return undefined
  const { clientId, codeHash, sessionId } = facts
  return namesClient(call, clientId) ? { clientId, codeHash, launchId, sessionId } : undefined
}

function namesClient({ authorization = '', body, query }: OAuthCall, clientId: string): boolean {
  const [, basic = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? []
  const decoded = Buffer.from(basic, 'base64').toString('latin1')
  return [body, query, authorization, decoded].some((text) => text.includes(clientId))
}

/** The fields, or what the content type said where no field can be read. */
function listSent({ body, contentType }: OAuthCall): readonly NamedValue[] {
  try {
    const { values } = parseParameters(TOKEN_PARAMETERS, parametersFromBody(contentType, body))
    return listSentFields(values)
  } catch {
    return [describeSent('content-type', contentType)]
  }
}
