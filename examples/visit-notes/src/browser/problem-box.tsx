// Shows one error with code, cause, fix and trace id. Text only, so nothing from an address or a
// response can become markup. Spec §7.
import type { ProblemView } from '../problem.ts'

export function ProblemBox({ problem }: { readonly problem: ProblemView }) {
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
