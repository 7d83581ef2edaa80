// What a running module works with: requests on its transcript, checks that decide its verdict, and
// the way out when it does not apply. The steps of the code flow are in flow.ts. Owns no check.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, HttpClient, SendOptions } from './http-client.ts'
import { ModuleFailed, ModuleSkipped } from './module-end.ts'
import type { Metadata, Target, UserAgent } from './target.ts'
import type { Transcript } from './transcript.ts'

export interface ContextParts {
  readonly target: Target
  readonly metadata: Metadata
  readonly http: HttpClient
  readonly transcript: Transcript
  readonly codeReuseWaitSeconds: number
  readonly signal: AbortSignal
}

export class ModuleContext {
  readonly target: Target
  readonly metadata: Metadata
  readonly codeReuseWaitSeconds: number
  readonly #parts: ContextParts
  #agent: Promise<UserAgent> | undefined

  constructor(parts: ContextParts) {
    this.#parts = parts
    this.target = parts.target
    this.metadata = parts.metadata
    this.codeReuseWaitSeconds = parts.codeReuseWaitSeconds
  }

  readonly send = (url: string, options: SendOptions = {}): Promise<Answer> =>
    this.#parts.http.send(url, options, this.#parts.transcript)

  /** The person of this module, with one browser. */
  agent(): Promise<UserAgent> {
    this.#agent ??= this.target.newUserAgent()
    return this.#agent
  }

  /** Ends the module as failed when the expectation is not met. */
  check(isMet: boolean, expectation: string, found: string | undefined): void {
    // What is absent has no JSON.
    const shown = found ?? 'absent'
    const { transcript } = this.#parts
    transcript.recordCheck(isMet ? 'ok' : 'failed', expectation, isMet ? undefined : shown)
    if (!isMet) throw new ModuleFailed(expectation, shown)
  }

  equal(actual: unknown, expected: unknown, what: string): void {
    const isStated = (value: unknown) => `${what} is ${JSON.stringify(value) ?? 'absent'}`
    this.check(actual === expected, isStated(expected), isStated(actual))
  }

  /** A recommendation: not meeting it is a warning. */
  advise(isMet: boolean, recommendation: string, found: string | undefined): void {
    const { transcript } = this.#parts
    const shown = isMet ? undefined : (found ?? 'absent')
    transcript.recordCheck(isMet ? 'ok' : 'warning', recommendation, shown)
  }

  note(text: string): void {
    this.#parts.transcript.recordCheck('note', text)
  }

  skip(reason: string): never {
    throw new ModuleSkipped(reason)
  }

  /** An address of the metadata; a service without it skips the module. */
  endpoint(name: string): string {
    const address = this.metadata[name]
    if (typeof address !== 'string') this.skip(`The metadata has no ${name}.`)
    return address
  }

  async wait(seconds: number): Promise<void> {
    this.note(`Waits ${seconds} s.`)
    await sleep(seconds * 1000, undefined, { signal: this.#parts.signal })
  }
}

/** One answer in a few words, for causes. */
export function describeAnswer({ status, location, json, text }: Answer): string {
  if (location) return `${status} to ${location}`
  const error = json?.error ?? json?.title
  return `${status} ${error === undefined ? textOf(text).slice(0, 160) : String(error)}`
}

/** Returns what a person would read of a page. */
const textOf = (html: string) =>
  html
    .replace(/<(style|script|title)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
