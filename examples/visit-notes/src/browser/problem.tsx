// Shows one failure so that a person can act on it: code, cause, fix, trace id. Text only, so nothing
// that arrives in a URL can become markup. Spec §7.
import { AppKitError } from '@chartside/app-kit/browser'
import {
  describe as describeError,
  findAnswer,
  type ProblemView,
} from '@chartside/example-app-shell/browser'

export function Problem({ problem }: { readonly problem: ProblemView }) {
  const { error, cause, fix, trace_id: traceId } = problem
  return (
    <div className="middle">
      <section className="error" role="alert">
        <h1>Visit Notes could not open</h1>
        <p>{cause}</p>
        <dl>
          <dt>Code</dt>
          <dd className="code">{error}</dd>
          <dt>Fix</dt>
          <dd>{fix}</dd>
          {traceId && (
            <>
              <dt>Trace</dt>
              <dd className="code">{traceId}</dd>
            </>
          )}
        </dl>
      </section>
    </div>
  )
}

const SDK_FIXES: Readonly<Record<string, string>> = {
  HOST_NOT_FOUND: 'Open the app from the panel beside the chart, not in a tab of its own.',
  HANDSHAKE_TIMEOUT: 'Check that the origin of this app is registered, then launch it again.',
  PROTOCOL_MISMATCH: 'Update the extension, or this app, so that both speak the same version.',
}

/** The app server's own words when it gave them, else those of the kit or of the SDK. */
export function describe(thrown: unknown): ProblemView {
  const answer = findAnswer(thrown)
  if (answer) return answer
  const { error, fix, ...rest } = describeError(thrown)
  const oauthError = thrown instanceof AppKitError ? thrown.oauthError : undefined
  return { ...rest, error: oauthError ?? error, fix: SDK_FIXES[error] ?? fix }
}
