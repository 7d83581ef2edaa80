// The sandbox as a client of the service's public API: waits until the service is ready, signs in
// as the sample administrator, and calls. registration.ts decides what to call. Contract §3, §4.
import type { Launch } from '@chartside/protocol/launch'
import type { SignedIn } from '@chartside/protocol/sign-in'
import type { Administrator } from './administrator.ts'
import { COMMAND } from './installation.ts'

interface List<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string | null
}

const READY_TIMEOUT_MS = 30_000

/** @throws Error when the service is not ready in time. */
export async function waitUntilReady(service: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    const response = await fetch(`${service}/health/ready`, { signal }).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  signal.throwIfAborted()
  throw new Error(
    `The service did not become ready within ${READY_TIMEOUT_MS / 1000} s. Look at its lines above; ${COMMAND} -- --reset starts with fresh data.`,
  )
}

/** The service refused a call; `fields` has its messages about fields of the body. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly fields: readonly { readonly field: string; readonly message: string }[]

  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text}`)
    try {
      this.fields = (JSON.parse(text) as { errors?: ApiError['fields'] }).errors ?? []
    } catch {
      this.fields = []
    }
  }
}

/** A write that gives access takes a sign-in of the last ten minutes. */
const isSignInTooOld = async (response: Response): Promise<boolean> =>
  ((await response.clone().json()) as { code?: string }).code === 'sign_in_again'

export class ServiceApi {
  readonly #base: string
  readonly #administrator: Administrator
  #token = ''
  #signingIn: Promise<void> | undefined

  private constructor(base: string, administrator: Administrator) {
    this.#base = base
    this.#administrator = administrator
  }

  static async signIn(base: string, administrator: Administrator): Promise<ServiceApi> {
    const api = new ServiceApi(base, administrator)
    await api.#signIn()
    return api
  }

  /** One sign-in for all calls whose token expired at the same time. */
  #signIn(): Promise<void> {
    this.#signingIn ??= this.#fetchToken().finally(() => {
      this.#signingIn = undefined
    })
    return this.#signingIn
  }

  async #fetchToken(): Promise<void> {
    const response = await fetch(`${this.#base}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(this.#administrator),
    })
    if (!response.ok) {
      throw new Error(
        `The sample administrator cannot sign in (${response.status}). The stored data may be of another version: ${COMMAND} -- --reset`,
      )
    }
    const { token } = (await response.json()) as SignedIn
    this.#token = token
  }

  /** The timeline of a launch; null when it cannot be read now. */
  async findLaunch(id: string): Promise<Launch | null> {
    return this.call<Launch>('GET', `/api/launches/${encodeURIComponent(id)}`).catch(() => null)
  }

  /** Every item, page by page. */
  async list<Item>(path: string): Promise<Item[]> {
    const items: Item[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor
        ? `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
        : ''
      const page: List<Item> = await this.call<List<Item>>('GET', `${path}${query}`)
      items.push(...page.items)
      cursor = page.nextCursor ?? null
    } while (cursor)
    return items
  }

  /** @throws ApiError */
  async call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const token = this.#token
    let response = await this.#send(method, path, body)
    const isOld = response.status === 403 && (await isSignInTooOld(response))
    if (response.status === 401 || isOld) {
      // An idle sandbox outlives its session; another call may have signed in already.
      if (token === this.#token) await this.#signIn()
      response = await this.#send(method, path, body)
    }
    const text = await response.text()
    if (!response.ok) throw new ApiError(`${method} ${path}`, response.status, text)
    return (text === '' ? {} : JSON.parse(text)) as Reply
  }

  #send(method: string, path: string, body: unknown): Promise<Response> {
    return fetch(`${this.#base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined
          ? {}
          : {
              'content-type':
                method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
            }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
}
