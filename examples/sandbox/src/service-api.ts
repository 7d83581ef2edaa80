// The sandbox as a client of the service: waits until it is ready, signs in as the sample
// administrator, reads and changes the sample apps. Public API only. Contract §3, §4.
import type { LaunchView } from '@chartside/protocol/launch'
import { SAMPLE_ADMIN_EMAIL, SAMPLE_PASSWORD } from '@chartside/server/sample-data'

export interface AppRecord {
  readonly id: string
  readonly clientId: string
  readonly name: string
  readonly launchUrl?: string | null
  readonly workerLaunchUrl?: string | null
  readonly redirectUris: readonly string[]
  readonly tokenEndpoint?: string | null
}

export type AppUrls = Partial<Omit<AppRecord, 'id' | 'clientId' | 'name'>>

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
    `The service did not become ready within ${READY_TIMEOUT_MS / 1000} s. Look at its lines above; npm start -- --reset starts with fresh data.`,
  )
}

export class ServiceApi {
  readonly #base: string
  #token = ''
  #signingIn: Promise<void> | undefined

  private constructor(base: string) {
    this.#base = base
  }

  static async signIn(base: string): Promise<ServiceApi> {
    const api = new ServiceApi(base)
    await api.#signIn()
    return api
  }

  /** One sign-in for all calls that find the token gone at the same time. */
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
      body: JSON.stringify({ email: SAMPLE_ADMIN_EMAIL, password: SAMPLE_PASSWORD }),
    })
    if (!response.ok) {
      throw new Error(
        `The sample administrator cannot sign in (${response.status}). The stored data may be of another version: npm start -- --reset`,
      )
    }
    const { token } = (await response.json()) as { token: string }
    this.#token = token
  }

  async findApp(accountName: string, name: string): Promise<AppRecord> {
    const accounts = await this.#list<{ id: string; name: string }>('/api/accounts')
    const account = accounts.find((candidate) => candidate.name === accountName)
    const apps = account
      ? await this.#list<AppRecord>(`/api/apps?accountId=${encodeURIComponent(account.id)}`)
      : []
    const app = apps.find((candidate) => candidate.name === name)
    if (app) return app
    throw new Error(`The sample app "${name}" is not in the stored data: npm start -- --reset`)
  }

  async changeApp(id: string, urls: AppUrls): Promise<void> {
    await this.#call('PATCH', `/api/apps/${id}`, urls)
  }

  /** A fresh secret, after which the earlier ones with the same label are retired. */
  async renewSecret(appId: string, label: string): Promise<string> {
    const path = `/api/apps/${appId}/secrets`
    const fresh = await this.#call<{ id: string; secret: string }>('POST', path, { label })
    const secrets = await this.#list<{ id: string; label?: string | null }>(path)
    const earlier = secrets.filter((secret) => secret.label === label && secret.id !== fresh.id)
    for (const { id } of earlier) await this.#call('DELETE', `${path}/${id}`)
    return fresh.secret
  }

  /** The timeline of a launch; null when it cannot be read now. */
  async findLaunch(id: string): Promise<LaunchView | null> {
    return this.#call<LaunchView>('GET', `/api/launches/${encodeURIComponent(id)}`).catch(
      () => null,
    )
  }

  async #list<Item>(path: string): Promise<Item[]> {
    const items: Item[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor
        ? `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
        : ''
      const page: List<Item> = await this.#call<List<Item>>('GET', `${path}${query}`)
      items.push(...page.items)
      cursor = page.nextCursor ?? null
    } while (cursor)
    return items
  }

  async #call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const token = this.#token
    let response = await this.#send(method, path, body)
    if (response.status === 401) {
      // An idle sandbox outlives its session; another call may have signed in already.
      if (token === this.#token) await this.#signIn()
      response = await this.#send(method, path, body)
    }
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
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
