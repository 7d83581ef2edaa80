// Plays the browser of one person: cookies, redirects by hand, and a login script for the pages in
// between. It stops at the first address outside the provider, so no redirect URI is ever opened.
// Judges nothing. Its types are the interface of --login-script.
import { type Answer, CannotRun, type SendOptions } from './http-client.ts'

/** A page of the provider that a person would have to answer. */
export interface LoginPage {
  readonly url: string
  readonly status: number
  readonly html: string
}

/** The next step that the person sends. */
export interface LoginStep {
  readonly url: string
  /** The fields are sent as a form POST; without them the address is opened. */
  readonly form?: Readonly<Record<string, string>>
}

/** The default export of a login script; `undefined`: this page is the end. */
export type LoginScript = (
  page: LoginPage,
) => LoginStep | undefined | Promise<LoginStep | undefined>

/** The place where an authorize request ended. */
export type Landing =
  | { readonly kind: 'redirect'; readonly url: URL; readonly answer: Answer }
  | { readonly kind: 'page'; readonly answer: Answer }

export type Send = (url: string, options: SendOptions) => Promise<Answer>

const MAX_HOPS = 20

export class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #origin: string
  readonly #login: LoginScript | undefined

  constructor(origin: string, login?: LoginScript) {
    this.#origin = origin
    this.#login = login
  }

  async open(address: string, options: SendOptions, send: Send): Promise<Landing> {
    let step: { url: string; options: SendOptions } = { url: address, options }
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const answer = await this.#request(step.url, step.options, send)
      if (answer.location !== undefined && answer.status >= 300 && answer.status < 400) {
        const target = URL.parse(answer.location, step.url)
        if (!target || target.origin !== this.#origin) {
          return target ? { kind: 'redirect', url: target, answer } : { kind: 'page', answer }
        }
        step = { url: target.href, options: {} }
        continue
      }
      const page = { url: step.url, status: answer.status, html: answer.text }
      const next = answer.status < 300 ? await this.#login?.(page) : undefined
      if (!next) return { kind: 'page', answer }
      const url = new URL(next.url, step.url).href
      step = { url, options: next.form ? { form: next.form } : {} }
    }
    throw new CannotRun(`The browser met ${MAX_HOPS} pages and redirects without an end.`)
  }

  async #request(url: string, options: SendOptions, send: Send): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await send(url, {
      ...options,
      headers: { accept: 'text/html', ...options.headers, ...(cookie ? { cookie } : {}) },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) {
        this.#cookies.delete(name)
      } else {
        this.#cookies.set(name, value)
      }
    }
    return answer
  }
}
