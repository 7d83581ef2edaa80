// What the page says of a failure: the server's own words when it gave them, else those of the kit or
// of the SDK. Spec §7.
import { AppKitError } from '@chartside/app-kit/browser'
import type { ProblemView } from '../problem.ts'

const FIXES: Readonly<Record<string, string>> = {
  HOST_NOT_FOUND: 'Open the app from the panel beside the chart, not in a tab of its own.',
  HANDSHAKE_TIMEOUT: 'Check that the origin of this app is registered, then launch it again.',
}

export function describe(error: unknown): ProblemView {
  if (!(error instanceof Error)) return describe(new Error(String(error)))
  if (error instanceof AppKitError) {
    if (isProblemView(error.body)) return error.body
    const { oauthError, code, message: cause, fix, traceId } = error
    return { error: oauthError ?? code, cause, fix, ...(traceId ? { trace_id: traceId } : {}) }
  }
  const code = 'code' in error ? String(error.code) : 'unexpected_error'
  const told = 'fix' in error ? String(error.fix) : undefined
  const fix = told ?? FIXES[code] ?? 'Launch the app again from the panel.'
  return { error: code, cause: error.message, fix }
}

const isProblemView = (body: unknown): body is ProblemView =>
  typeof body === 'object' && body !== null && 'error' in body && 'cause' in body
