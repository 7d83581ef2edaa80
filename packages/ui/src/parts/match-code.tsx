// The match code, large enough to compare at a glance. A screen reader spells its characters, since
// a synthesizer would read “ZQYP” as a word.
/** @jsxImportSource preact */

export interface MatchCodeProps {
  readonly code: string
  /** The label before the spelled characters, such as “Match code”. */
  readonly label: string
}

export function MatchCode({ code, label }: MatchCodeProps) {
  const halves = code.split('-')
  const spelled = halves.map((half) => [...half].join(' ')).join(', ')
  return (
    <div class="match-code" data-code={code}>
      <span class="unseen">{`${label}: ${spelled}`}</span>
      {halves.map((half, index) => (
        <>
          {index > 0 && (
            <span class="dash" aria-hidden="true">
              –
            </span>
          )}
          <span aria-hidden="true">{half}</span>
        </>
      ))}
    </div>
  )
}
