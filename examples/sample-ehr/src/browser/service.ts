// The page's own calls to the service: sign in, open an EHR session, sign out.
// Launches and the handshake are the host's. The session token is returned; saved-session.ts keeps it.
// Contract §3.
import type { Problem } from '@chartside/extension/messages'
import type { EhrSession } from '@chartside/protocol/launch'
import type { User } from '@chartside/protocol/payloads'
import type { SignedIn } from '@chartside/protocol/sign-in'

export interface OpenedSession extends Pick<SignedIn, 'token' | 'user'> {
  readonly session: EhrSession
}

export interface SignInChoice {
  readonly email: string
  readonly password: string
  readonly practice: string
  readonly ehrType: string
}

export async function signIn(service: string, choice: SignInChoice): Promise<OpenedSession> {
  const { email, password, practice, ehrType } = choice
  const call = createCaller(service)
  const { token, user } = await call<SignedIn>('POST', '/auth/sign-in', {
    body: { email, password },
  })
  const me = await call<User>('GET', '/api/users/me', { token })
  const membership = me.memberships.find(({ account }) => account.name === practice)
  if (!membership) throw new Error(`${user.name} is not a member of ${practice}.`)
  const session = await openSession(service, token, membership.account.id, ehrType)
  return { token, user, session }
}

/** Opens a session with the apps of the collection as it is now. */
export function openSession(
  service: string,
  token: string,
  accountId: string,
  ehrType: string,
): Promise<EhrSession> {
  const body = { accountId, ehrType, deviceId: deviceId() }
  return createCaller(service)<EhrSession>('POST', '/api/sessions', { token, body })
}

/** Reports to the administrators of the practice. */
export async function reportProblem(
  service: string,
  token: string,
  accountId: string,
  problem: Problem,
): Promise<void> {
  await createCaller(service)('POST', `/api/accounts/${accountId}/problem-reports`, {
    ...{ token, body: problem },
  })
}

/** Closes a session whose place another one has taken; its launches end. */
export async function closeSession(service: string, token: string, id: string): Promise<void> {
  await createCaller(service)('DELETE', `/api/sessions/${id}`, { token })
}

/**
 * False when the session had ended before; the service then notifies no app.
 * @throws Error when the service did not end the session.
 */
export async function signOut(service: string, token: string): Promise<boolean> {
  try {
    await createCaller(service)('POST', '/auth/sign-out', { token })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}

class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface CallOptions {
  readonly token?: string
  readonly body?: unknown
}

export function createCaller(service: string) {
  return async <Reply>(method: string, path: string, options: CallOptions = {}): Promise<Reply> => {
    const response = await fetch(`${service}${path}`, {
      method,
      credentials: 'omit',
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    }).catch(() => {
      throw new Error(
        `The service at ${service} cannot be reached. Check that the sandbox still runs.`,
      )
    })
    const text = await response.text()
    const reply = text === '' ? {} : JSON.parse(text)
    if (response.ok) return reply as Reply
    const { title, detail, traceId } = reply as Record<string, unknown>
    throw new ApiError(
      response.status,
      `${detail ?? title ?? `The service answered ${response.status}.`}${traceId ? ` (trace ${traceId})` : ''}`,
    )
  }
}

const DEVICE_KEY = 'chartside-sandbox-device'

/** One browser profile is one device. */
function deviceId(): string {
  const known = localStorage.getItem(DEVICE_KEY)
  if (known) return known
  const made = `sandbox-${crypto.randomUUID().slice(0, 8)}`
  localStorage.setItem(DEVICE_KEY, made)
  return made
}
