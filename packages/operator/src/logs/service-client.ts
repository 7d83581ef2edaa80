// A service as `chartside logs` asks it: by its public API, with a session token. Says of each refusal what it means
// and what to do, and tells an outage, after which to try again, from a refusal. Contract §3, §4.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildMatchCode, buildSignInUrl } from '@chartside/protocol/sign-in'
import { type CliContext, CommandFailed } from '../context.ts'

const POLL_MS = 2000
const TIMEOUT_MS = 15_000
/** The service keeps an open sign-in so long. */
const MAX_POLLS = 300

/** The service does not answer, or is too busy: the same request may succeed later. */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfter?: string | null) {
    super(message)
    const seconds = Number(retryAfter)
    this.retryAfterMs = seconds > 0 ? seconds * 1000 : undefined
  }
}

/** The session token is not, or no longer, one of a sign-in. */
export class SignInEnded extends Error {
  override readonly name = 'SignInEnded'
}

interface Problem {
  readonly detail?: string
  readonly code?: string
  readonly traceId?: string
}

/** @throws CommandFailed for an address to which no token may be sent */
export function parseServiceUrl(text: string | undefined): string {
  if (text === undefined) {
    throw new CommandFailed(
      'Which service? Name it with --url, or in CHARTSIDE_BASE_URL, such as https://chartside.example.',
    )
  }
  const url = URL.parse(text)
  const isLoopback = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url?.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:')) {
    throw new CommandFailed(
      `${text} is no address to send a session token to. Use https; http works on this machine only.`,
    )
  }
  return url.href.replace(/\/$/, '')
}

/** @throws Outage, SignInEnded, CommandFailed with the cause and the fix */
export async function askService<Reply>(
  { signal }: Pick<CliContext, 'signal'>,
  url: string,
  token?: string,
  method = 'GET',
): Promise<{ readonly status: number; readonly body: Reply }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const request = {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.any([signal, timeout]),
  }
  const answer = await fetch(url, request as RequestInit).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new Outage(`${new URL(url).origin} does not answer (${reasonOf(cause)})`)
  })
  const text = await answer.text().catch(() => '')
  const { status } = answer
  if (status === 429 || status >= 500) {
    const retryAfter = answer.headers.get('retry-after')
    throw new Outage(`${new URL(url).origin} answered ${status}`, retryAfter)
  }
  const body = parseJson(text)
  if (status === 401) throw new SignInEnded((body as Problem).detail ?? '')
  return { status, body: body as Reply }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Returns the reason of an error; `fetch` gives it in the cause. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: string }; message?: string }
  return cause?.code ?? message ?? 'unknown'
}

/** @throws CommandFailed in the words of the service, unless it answered with 200 */
export function requireOk<Reply>(
  { status, body }: { readonly status: number; readonly body: Reply },
  advice: string,
): Reply {
  if (status === 200) return body
  const { detail, code, traceId } = body as Problem
  throw new CommandFailed(
    detail === undefined
      ? `That address answered ${status}, not as a service of Chartside does. Look at --url.`
      : `${detail} (${code}, trace id ${traceId}) ${advice}`,
  )
}

const duringOutage = (error: unknown) => {
  if (error instanceof Outage) return { status: 202 } as const
  throw error
}

/** Lets the user sign in with a browser, as docs/use/sign-in.md describes it. Gives the session token. */
export async function signInByBrowser(context: CliContext, base: string): Promise<string> {
  const { randomness, note, signal } = context
  const config = await askService<{ signInUrl: string }>(context, `${base}/auth/config`)
  const { signInUrl } = requireOk(config, '')
  const sessionId = randomness.bytes(16).toString('base64url')
  const verifier = randomness.bytes(32).toString('base64url')
  const challenge = hash('sha256', verifier, 'base64url')
  note(
    `Open this address in a browser and sign in:\n\n  ${buildSignInUrl(signInUrl, sessionId, challenge)}\n`,
  )
  note(`The page shows this code, or asks for it: ${buildMatchCode(challenge)}`)
  let isBegun = false
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const url = `${base}/auth/token/${sessionId}`
    const answer = await askService<{ token: string }>(context, url, verifier).catch(duringOutage)
    if (answer.status === 200) return answer.body.token
    // Until the page is open the service knows nothing of it.
    if (answer.status !== 202 && (isBegun || answer.status !== 404)) break
    isBegun ||= answer.status === 202
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new CommandFailed('No one signed in. Run the command again for a new address.')
}
