// Shows one error in two registers: what the provider can do, and code, cause, fix and trace id for
// support in a fold. Text only, so nothing from an address or a response can become markup. Spec §7.
import { useRef, useState } from 'react'
import type { PageProblem } from '../page/problem.ts'

/**
 * Shows a failure: what the provider can do, and the evidence for support. Never throws. Spec §7.
 * @example <ProblemBox problem={describeProblem(error)} />
 */
export function ProblemBox({ problem }: { readonly problem: PageProblem }) {
  const { error, cause, fix, trace_id: trace } = problem
  const rows = Object.entries({ Code: error, Cause: cause, Fix: fix, Trace: trace ?? '' })
  const evidence = rows.filter(([, text]) => text !== '')
  return (
    <div className="middle">
      <div>
        <section className="error" role="alert">
          <h1>{document.title} could not open</h1>
          <p>The chart is not affected. {problem.advice}</p>
        </section>
        <Support evidence={evidence} />
      </div>
    </div>
  )
}

function Support({ evidence }: { readonly evidence: readonly (readonly [string, string])[] }) {
  const list = useRef<HTMLDListElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const copy = () => {
    const lines = [['App', document.title], ...evidence].map((pair) => pair.join(': '))
    navigator.clipboard.writeText(lines.join('\n')).then(
      () => setIsCopied(true),
      // A frame needs the permission of its host. What is selected can be copied by hand.
      () => list.current && getSelection()?.selectAllChildren(list.current),
    )
  }
  return (
    <details className="support">
      <summary>For support</summary>
      <dl ref={list}>
        {evidence.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </details>
  )
}
