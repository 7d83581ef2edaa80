// The public API of a Chartside service as this suite uses it: sign in, sign out, call. Sends no
// request of a module. Contract §3, §4.
import { CannotRun, type HttpClient } from './http-client.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The administrator of the sandbox (docs/build/sandbox.md). */
export const SANDBOX_EMAIL = 'admin@chartside.example'

export class ChartsideApi {
  readonly #baseUrl: string
  readonly #http: HttpClient
  readonly #token: string

  private constructor(baseUrl: string, http: HttpClient, token: string) {
    this.#baseUrl = baseUrl
    this.#http = http
    this.#token = token
  }

  /** @throws CannotRun when the service refuses the sign-in. */
  static async signIn(
    baseUrl: string,
    http: HttpClient,
    credentials: Credentials,
    secrets: Set<string>,
  ): Promise<ChartsideApi> {
    const answer = await http.send(`${baseUrl}/auth/sign-in`, { json: credentials })
    const token = answer.json?.token
    if (answer.status !== 200 || typeof token !== 'string') {
      throw new CannotRun(
        `${credentials.email} cannot sign in at ${baseUrl} (${answer.status}). Give --email and --password of a platform administrator, or of an administrator of an account together with --account-id.`,
      )
    }
    secrets.add(token)
    return new ChartsideApi(baseUrl, http, token)
  }

  /** @throws CannotRun when the answer is no success. */
  async call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#http.send(this.#baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body ? { json: body } : {}),
    })
    if (answer.status >= 300) {
      const why = answer.json?.detail ?? answer.json?.title ?? answer.text.slice(0, 200)
      throw new CannotRun(`${method} ${path} answered ${answer.status}: ${String(why)}`)
    }
    return answer.json ?? {}
  }

  async list(path: string): Promise<Readonly<Record<string, unknown>>[]> {
    const { items } = await this.call('GET', path)
    return Array.isArray(items) ? items : []
  }

  async signOut(): Promise<void> {
    await this.call('POST', '/auth/sign-out')
  }
}
