// What one module sent, got and decided, in order and with secrets cut: the evidence of a verdict.
// Records; sends nothing.
import { redact, redactCredentials } from './redaction.ts'

export interface RequestEntry {
  readonly kind: 'request'
  readonly request: string
  readonly sentHeaders: readonly string[]
  readonly sentBody?: string
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
  readonly milliseconds: number
}

export interface CheckEntry {
  readonly kind: 'check'
  readonly outcome: 'ok' | 'failed' | 'warning' | 'note'
  readonly expectation: string
  readonly found?: string
}

export type Entry = RequestEntry | CheckEntry

const SHOWN_HEADERS = [
  ...['content-type', 'cache-control', 'pragma', 'location', 'www-authenticate', 'etag'],
  ...['access-control-allow-origin', 'retry-after', 'allow'],
]
const SENT_HEADERS = ['authorization', 'content-type', 'accept', 'origin']
const MAX_BODY_CHARACTERS = 1500

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export class Transcript {
  readonly entries: Entry[] = []
  readonly #secrets: ReadonlySet<string>

  constructor(secrets: ReadonlySet<string>) {
    this.#secrets = secrets
  }

  get requests(): number {
    return this.entries.filter(({ kind }) => kind === 'request').length
  }

  recordRequest(
    sent: RecordedRequest,
    answer: { status: number; headers: Headers; text: string },
    milliseconds: number,
  ): void {
    const list = (names: readonly string[], value: (name: string) => string | null | undefined) =>
      names.flatMap((name) => {
        const found = value(name)
        return found ? [this.redacted(`${name}: ${redactCredentials(found)}`)] : []
      })
    this.entries.push({
      kind: 'request',
      request: this.redacted(`${sent.method} ${sent.url}`),
      sentHeaders: list(SENT_HEADERS, (name) => sent.headers[name]),
      ...(sent.body ? { sentBody: this.#body(sent.body) } : {}),
      status: answer.status,
      headers: list(SHOWN_HEADERS, (name) => answer.headers.get(name)),
      body: this.#body(answer.text),
      milliseconds: Math.round(milliseconds),
    })
  }

  recordCheck(outcome: CheckEntry['outcome'], expectation: string, found?: string): CheckEntry {
    const entry: CheckEntry = {
      kind: 'check',
      outcome,
      expectation: this.redacted(expectation),
      ...(found === undefined ? {} : { found: this.redacted(found) }),
    }
    this.entries.push(entry)
    return entry
  }

  redacted(text: string): string {
    return redact(text, this.#secrets)
  }

  #body(text: string): string {
    const shown = this.redacted(text)
    return shown.length > MAX_BODY_CHARACTERS ? `${shown.slice(0, MAX_BODY_CHARACTERS)} …` : shown
  }
}
