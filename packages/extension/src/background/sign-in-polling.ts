// Collects the session token of a sign-in that the person approves in a tab: polls until the service
// delivers it, refuses it, or the time is over. A new background polls again. Contract §3.
import type { Event } from './events.ts'
import { type ServiceClient, ServiceError } from './service.ts'
import type { Person, PreparedSignIn, State } from './state.ts'

const POLL_INTERVAL_MS = 1_000

export interface PollingContext {
  readonly state: () => State
  readonly dispatch: (event: Event) => Promise<void>
}

const polling = new Set<string>()

export async function pollSignIn(
  service: ServiceClient,
  prepared: PreparedSignIn,
  { state, dispatch }: PollingContext,
): Promise<void> {
  const { sessionId, expiresAt } = prepared
  if (polling.has(sessionId)) return
  polling.add(sessionId)
  const isWaiting = () => {
    const { signIn } = state()
    return signIn.kind === 'waiting' && signIn.sessionId === sessionId
  }
  const findProof = () => {
    const { signIn } = state()
    return signIn.kind === 'waiting' ? signIn.proof : null
  }
  try {
    while (isWaiting()) {
      if (Date.now() > expiresAt) {
        return await dispatch({ type: 'sign_in_failed', sessionId, because: 'timed_out' })
      }
      const answer = await service.pollToken(prepared, findProof()).catch((error: unknown) => error)
      if (answer instanceof ServiceError) {
        // The flow is known from the moment at which the tab shows its page.
        const isPending = answer.isTransient || (answer.status === 404 && !isOld(prepared))
        if (!isPending) {
          return await dispatch({ type: 'sign_in_failed', sessionId, because: 'refused' })
        }
      } else if (answer instanceof Error) {
        throw answer
      } else if (answer) {
        const { token, user: person } = answer as { token: string; user: Person }
        const now = Date.now()
        return await dispatch({
          type: 'signed_in',
          service: service.base,
          sessionId,
          token,
          person,
          now,
        })
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    }
  } finally {
    polling.delete(sessionId)
  }
}

export const SIGN_IN_LIFETIME_MS = 10 * 60_000
const PAGE_LOAD_MS = 20_000

/** Its page must have loaded by now: a flow that the service does not know was refused. */
const isOld = ({ expiresAt }: PreparedSignIn) =>
  Date.now() > expiresAt - SIGN_IN_LIFETIME_MS + PAGE_LOAD_MS
