// The window message by which a page tells its host what went wrong: build and parse. It goes to any
// origin, so it takes out what looks like a bearer value, on both ends. No I/O. Contract §5;
// security X02, X06.
import { own, text } from './message-fields.ts'

/**
 * The message of a frame to its parent window, any origin, before and after the hello: what goes wrong where
 * there is no port. It holds no secret, and needs no version.
 */
export interface FailureReport {
  readonly type: 'chartside:failure'
  /** A code of the SDK, of the app kit, of the service or the app's own. */
  readonly code: string
  readonly message: string
  /** The fix; empty when there is none. */
  readonly fix: string
  /** The trace id; empty when there is none. */
  readonly traceId: string
}

/**
 * The symbol is set to true on the page when the app calls init of the SDK, or reports a failure. From then
 * on the page speaks for itself.
 */
export const INIT_MARK: unique symbol = Symbol.for('chartside.init')

/** The bearer values of the service, and JWTs. A name such as code_challenge_method is none. */
export const BEARERS = /\b(?:lnch|code|at|cs|st)_[0-9a-z]{16,}[\w-]*|\beyJ[\w-]{5,}[.\w-]*/g

/** Cuts what is too long and takes out what looks like a bearer value, so that any value may go. */
export function buildFailureReport(fields: {
  readonly code: string
  readonly message: string
  readonly fix?: string | undefined
  readonly traceId?: string | undefined
}): FailureReport {
  const cut = (name: keyof typeof fields, length: number) => {
    // An app reports what it caught: that may be null, no error at all, or throw when it is read.
    try {
      return `${fields[name] ?? ''}`.replace(BEARERS, '(left out)').slice(0, length)
    } catch {
      return ''
    }
  }
  return {
    type: 'chartside:failure',
    code: cut('code', 40).replace(/[^A-Za-z_]/g, '_') || 'unknown',
    message: cut('message', 500) || 'No reason given.',
    fix: cut('fix', 500),
    traceId: cut('traceId', 64),
  }
}

/** Checks the type only; parseFailureReport checks the fields. */
export const isFailureReport = (data: unknown): boolean => own(data, 'type') === 'chartside:failure'

export function parseFailureReport(data: unknown): FailureReport | null {
  const code = text(data, 'code', 40)
  const message = text(data, 'message', 500)
  if (!isFailureReport(data) || message === null || !/^[A-Za-z_]+$/.test(code ?? '')) return null
  const traceId = text(data, 'traceId', 64)
  return buildFailureReport({
    code: code ?? '',
    message,
    fix: text(data, 'fix', 500) ?? '',
    traceId: traceId !== null && /^[\w-]+$/.test(traceId) ? traceId : '',
  })
}
