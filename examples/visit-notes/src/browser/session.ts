// The page's end of the app's own session: the bearer lives in this object and nowhere else, and is
// renewed through the httpOnly cookie when it has run out. Never stores anything. Spec §5.6.
import { type ErrorView, ViewError } from './error-view.ts'

interface SessionReply {
  readonly session: { readonly token: string; readonly launch_id: string }
}

interface StartReply extends SessionReply {
  readonly access_token: string
  readonly id_token: string
}

export interface StartedSession {
  readonly session: AppSession
  readonly accessToken: string
  readonly idToken: string
}

export class AppSession {
  readonly #launchId: string
  #bearer: string
  #renewal: Promise<void> | undefined

  private constructor({ token, launch_id: launchId }: SessionReply['session']) {
    this.#launchId = launchId
    this.#bearer = token
  }

  /** Spends the code at the app's own server (spec §5.1). Never called twice with one code. */
  static async start(code: string): Promise<StartedSession> {
    const reply = await call<StartReply>('POST', '/api/session', {}, { code })
    return {
      session: new AppSession(reply.session),
      accessToken: reply.access_token,
      idToken: reply.id_token,
    }
  }

  async request<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    const bearer = this.#bearer
    try {
      return await this.#send<Reply>(method, path, body)
    } catch (error) {
      if (!(error instanceof ViewError) || error.view.error !== 'session_ended') throw error
      if (bearer === this.#bearer) await this.#renew()
      return this.#send<Reply>(method, path, body)
    }
  }

  /** One renewal for all who wait: a renewal spends the cookie, so a second one would be refused. */
  #renew(): Promise<void> {
    this.#renewal ??= call<SessionReply>('POST', '/api/session/renew', {}, this.#launch())
      .then(({ session }) => {
        this.#bearer = session.token
      })
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  #launch(): { readonly launch_id: string } {
    return { launch_id: this.#launchId }
  }

  /** Ends this launch's session, even while the frame is being taken away. */
  async end(): Promise<void> {
    const authorization = `Bearer ${this.#bearer}`
    await call('DELETE', '/api/session', { authorization }, this.#launch(), { keepalive: true })
  }

  #send<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    return call<Reply>(method, path, { authorization: `Bearer ${this.#bearer}` }, body)
  }
}

async function call<Reply>(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
  options: RequestInit = {},
): Promise<Reply> {
  const response = await fetch(path, {
    ...options,
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const reply: unknown = await response.json()
  if (!response.ok) throw new ViewError(reply as ErrorView)
  return reply as Reply
}
