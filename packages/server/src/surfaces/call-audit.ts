// Audits every call of the API and every form that changes something, also when it is refused: after the
// change and before the answer, so that every acknowledged change is in the trail. Reads the route
// table, so new routes are included. Steps of a launch insert their events in their own write. Contract §4, security P02, P06.

import type { HasDatabase } from '../db/database.ts'
import { networkOf } from '../http/admission/client-address.ts'
import type { PageCall, Reply, UncheckedCall } from '../http/call.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import type { ApiRoute, PageRoute } from '../route.ts'
import {
  isAudited,
  isCredentialGuess,
  isPersonalRead,
  showsOthers,
  signInMethodOf,
  signInOutcomeOf,
} from './call-audit-rules.ts'
import { auditWriter } from './call-audit-writer.ts'

export interface CallAudit {
  /** Audits a call of the API, after authentication. */
  api(route: ApiRoute, call: UncheckedCall, work: () => Promise<Reply>): Promise<Reply>
  /** Audits a form. Only `call.auditSubject` names the user: the input may be anything. */
  page(route: PageRoute, call: PageCall, work: () => Promise<Reply>): Promise<Reply>
}

export function callAudit(service: HasDatabase & HasMetrics & HasRandomness): CallAudit {
  const writer = auditWriter(service)
  const { metrics } = service
  /** Counts the outcome. `isRefused`: a page that answers with a page says so in its own way. */
  async function counted(
    route: ApiRoute | PageRoute,
    work: () => Promise<Reply>,
    isRefused: (reply: Reply) => boolean,
  ): Promise<Reply> {
    const method = signInMethodOf(route)
    if (!method) return work()
    try {
      const reply = await work()
      metrics.noteSignIn(method, isRefused(reply) ? 'refused' : 'ok')
      return reply
    } catch (error) {
      const outcome = signInOutcomeOf(error)
      if (outcome) metrics.noteSignIn(method, outcome)
      throw error
    }
  }
  return {
    async api(route, call, work) {
      if (!isAudited(route)) return work()
      try {
        const reply = await counted(route, work, () => false)
        if (isPersonalRead(route.operation)) {
          if (showsOthers(route.operation, call, reply)) await writer.writeRead(route, call)
        } else if (route.method !== 'GET' || reply.status !== 202) {
          // Polling without a result, a GET with 202, has no effect.
          await writer.writeEffect(route, call, reply)
        }
        return reply
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const { person } = call
        if (person || isCredentialGuess(error.code)) {
          // Guesses without a user are bounded by the limits on failures, for each network.
          const caller = person?.user.id ?? networkOf(call.address)
          await writer.writeRefusal(route, call, caller, error.code)
        }
        throw error
      }
    },
    async page(route, call, work) {
      if (!isAudited(route)) return work()
      const isRefused = () => call.auditSubject.refusal !== undefined
      const reply = await counted(route, work, isRefused)
      await writer.writeForm(route, call, reply)
      return reply
    },
  }
}
