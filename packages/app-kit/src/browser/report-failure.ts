// Sends the host at once what went wrong in the page, with the words of the app's own server when it
// gave any, so that the launch's timeline need not guess. A page that no host frames sends nothing.
// The message goes to any origin and holds no secret (protocol: failure-report). Contract §5.
import { buildFailureReport, INIT_MARK } from '@chartside/protocol/failure-report'
import { AppKitError } from './errors.ts'
import type { Page } from './page.ts'

/** The error of an app's server, by the names that the samples and `readReply` use. */
interface ServerProblem {
  readonly error?: unknown
  readonly cause?: unknown
  readonly fix?: unknown
  readonly trace_id?: unknown
}

/** Passes the outcome on, and reports a failure. */
export function reporting<Result>(page: Page, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    reportFailure(page, error)
    throw error
  })
}

/** Reports an error of the kit; any other error is the app's to report. Never throws. */
export function reportFailure(page: Page, error: unknown): void {
  if (error instanceof AppKitError) report(page, describe(error))
}

export interface Failure {
  readonly code: string
  readonly message: string
  readonly fix?: string | undefined
  readonly traceId?: string | undefined
}

export function report(page: Page, failure: Failure): void {
  const { parent, self } = page
  Object.assign(page, { [INIT_MARK]: true })
  if (parent && parent !== self) parent.postMessage(buildFailureReport(failure), '*')
}

function describe(error: AppKitError): Failure {
  const { oauthError, code, message, detail, fix, traceId } = error
  const { error: named, cause, fix: serverFix, trace_id: trace } = readProblem(error.body)
  if (isText(named)) {
    return {
      code: named,
      message: isText(cause) ? cause : oauthError ? message : `${message} (${named})`,
      fix: isText(serverFix) ? serverFix : fix,
      traceId: isText(trace) ? trace : traceId,
    }
  }
  return {
    code: oauthError ?? code,
    message: detail ? `${message}: ${detail}` : message,
    fix,
    traceId,
  }
}

const readProblem = (body: unknown): ServerProblem =>
  typeof body === 'object' && body !== null ? body : {}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
