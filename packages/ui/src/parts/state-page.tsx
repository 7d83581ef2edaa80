// What stands in place of an app: what happened, whether the chart is safe, what to do, with one main
// button. Words for support are folded away below. Also the fold itself.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { IconName } from '../rules/icon-paths.ts'
import type { Tone } from '../rules/states.ts'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'

export interface StatePageProps {
  readonly icon: IconName
  readonly tone: Tone
  readonly title: string
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly support?: ComponentChildren
  /** Turns the icon. */
  readonly isBusy?: boolean | undefined
}

export function StatePage({ icon, tone, title, isBusy, ...rest }: StatePageProps) {
  const { children, actions, support } = rest
  return (
    <div class="state-page">
      <span class={`emblem tone-${tone}${isBusy ? ' busy' : ''}`}>
        <Icon name={icon} />
      </span>
      <h1>{title}</h1>
      {children}
      {actions && <div class="actions">{actions}</div>}
      {support}
    </div>
  )
}

export interface SupportFact {
  readonly name: string
  readonly value: string
}

export interface SupportFoldProps {
  readonly facts: readonly SupportFact[]
  readonly copy: (text: string) => Promise<void>
  readonly words?: { readonly title: string; readonly copy: string } | undefined
}

const WORDS = { title: 'For support', copy: 'Copy for support' }

/** The facts that support asks for, in one block that can be copied. Escape closes it. */
export function SupportFold({ facts, copy, words = WORDS }: SupportFoldProps) {
  const text = facts.map(({ name, value }) => `${name}: ${value}`).join('\n')
  return (
    <details
      class="support"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return
        event.stopPropagation()
        event.currentTarget.open = false
        event.currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary>
        <Icon name="chevron" />
        {words.title}
      </summary>
      <div class="support-block">
        <dl>
          {facts.map(({ name, value }) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
        <CopyButton text={text} label={words.copy} copy={copy} />
      </div>
    </details>
  )
}
