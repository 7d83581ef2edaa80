// The verdict of a launch: the cause in a sentence, what the service saw as evidence, and what to do,
// in steps, with who can do it. Also the list of evidence by itself, and the strip of steps of a row.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

export interface Evidence {
  readonly name: string
  readonly value: ComponentChildren
  /** The value `null` is neither good nor bad. */
  readonly isGood: boolean | null
}

export function EvidenceList({
  label,
  items,
}: {
  readonly label: string
  readonly items: readonly Evidence[]
}) {
  return (
    <ul class="evidence" aria-label={label}>
      {items.map(({ name, value, isGood }) => (
        <li>
          <span class={isGood === null ? 'tone-quiet' : isGood ? 'tone-good' : 'tone-bad'}>
            <Icon name={isGood === null ? 'dash' : isGood ? 'check' : 'cross'} />
            {isGood !== null && <span class="unseen">{isGood ? 'Right:' : 'Wrong:'}</span>}
          </span>
          <span class="quiet">{name}</span>
          <span class="value">{value}</span>
        </li>
      ))}
    </ul>
  )
}

export interface VerdictCardProps {
  readonly tone: 'bad' | 'warn' | 'good'
  readonly title: string
  readonly cause: ComponentChildren
  readonly evidence: readonly Evidence[]
  /** The words for who can do the steps. */
  readonly who: string
  readonly steps: readonly ComponentChildren[]
  readonly action?: ComponentChildren
  readonly note?: ComponentChildren
}

export function VerdictCard(props: VerdictCardProps) {
  const { tone, title, cause, evidence, who, steps, action, note } = props
  return (
    <article class={`card verdict tone-${tone}`} aria-label={title}>
      <div class="verdict-columns">
        <div>
          <h2>{title}</h2>
          <p>{cause}</p>
          <EvidenceList label="What the service saw" items={evidence} />
        </div>
        {steps.length > 0 && (
          <div>
            <h3>
              What to do <span class="quiet">· {who}</span>
            </h3>
            <ol class="to-do">
              {steps.map((step) => (
                <li>
                  <span>{step}</span>
                </li>
              ))}
            </ol>
            {action}
            {note && <p class="small quiet">{note}</p>}
          </div>
        )}
      </div>
    </article>
  )
}

export type StepOutcome = 'ok' | 'failed' | 'never'

/** `label` says the same in words, such as “4 of 7 steps, failed at exchange”. */
export function StepStrip({
  label,
  steps,
}: {
  readonly label: string
  readonly steps: readonly StepOutcome[]
}) {
  return (
    <span class="step-strip" role="img" aria-label={label}>
      {steps.map((step) => (
        <i class={step}>{step === 'failed' && <Icon name="cross" />}</i>
      ))}
    </span>
  )
}
