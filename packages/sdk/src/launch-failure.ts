// Sends the host at once what went wrong in the page, where there is no port: before the hello, and
// for the app's own failures. Goes to any origin, as the hello does, and holds no secret; a page
// without a host sends nothing. Never throws. Contract §5.
import { buildFailureReport, INIT_MARK } from '@chartside/protocol/failure-report'
import { ServiceSDKError } from './errors.ts'
import type { Page } from './page.ts'

export interface LaunchFailure {
  /** The code has `[A-Za-z_]`, at most 40 characters, such as `csrf_validation_failed`. */
  readonly code: string
  /** The likely cause, for the app's developer; at most 500 characters. */
  readonly message: string
  readonly fix?: string | undefined
  /** The trace id of the service's answer. */
  readonly traceId?: string | undefined
}

export type ReportLaunchFailure = (failure: LaunchFailure) => void

export const createFailureReporter =
  (page: Pick<Page, 'parent'>): ReportLaunchFailure =>
  (failure) => {
    const { parent } = page
    Object.assign(page, { [INIT_MARK]: true })
    if (parent && !Object.is(parent, page)) parent.postMessage(buildFailureReport(failure), '*')
  }

/** A failure of the SDK itself; the caller's own abort is none. */
export function reportError(report: ReportLaunchFailure, error: unknown): never {
  if (error instanceof ServiceSDKError) {
    const { code, cause: message, fix } = error
    report({ code, message, fix })
  }
  throw error
}
