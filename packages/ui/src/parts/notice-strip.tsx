// A strip above the content: what happened, what it means, one button. It covers nothing, and it is
// no live region: the page announces what must be announced, once.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { IconName } from '../rules/icon-paths.ts'
import { Icon } from './icon.tsx'

export interface NoticeStripProps {
  readonly tone: 'warn' | 'bad' | 'accent'
  readonly icon: IconName
  readonly title: string
  readonly text?: ComponentChildren
  readonly action?: ComponentChildren
}

export function NoticeStrip({ tone, icon, title, text, action }: NoticeStripProps) {
  return (
    <section class={`notice tone-${tone}`} aria-label={title}>
      <Icon name={icon} />
      <div>
        <strong>{title}</strong>
        {text && <p>{text}</p>}
      </div>
      {action}
    </section>
  )
}
