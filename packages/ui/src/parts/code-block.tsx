// Text as it went over the wire, with every secret cut to its kind and last four characters, and a
// difference in words. A copy is cut as well.
/** @jsxImportSource preact */
import type { DiffLine } from '../rules/diff-lines.ts'
import { redact, redactText } from '../rules/redact.ts'
import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  readonly title: string
  readonly text: string
  readonly copy: (text: string) => Promise<void>
  readonly copyLabel?: string | undefined
}

export function CodeBlock({ title, text, copy, copyLabel = 'Copy' }: CodeBlockProps) {
  return (
    <section class="code-block" aria-label={title}>
      <header>
        <span>{title}</span>
        <CopyButton text={redactText(text)} label={copyLabel} copy={copy} />
      </header>
      <pre>
        {redact(text).map((piece) =>
          piece.isRedacted ? (
            <span class="redacted" title="Cut: a secret">
              {piece.text}
            </span>
          ) : (
            piece.text
          ),
        )}
      </pre>
    </section>
  )
}

const SIGNS = { added: '+', removed: '−', same: '' } as const
const WORDS = { added: 'Added: ', removed: 'Removed: ', same: '' } as const

export function Diff({
  label,
  lines,
}: {
  readonly label: string
  readonly lines: readonly DiffLine[]
}) {
  return (
    <ul class="diff" aria-label={label}>
      {lines.map(({ kind, text }) => (
        <li class={kind}>
          <span class="sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          <span>
            <span class="unseen">{WORDS[kind]}</span>
            {kind === 'removed' ? <s>{text}</s> : text}
          </span>
        </li>
      ))}
    </ul>
  )
}
