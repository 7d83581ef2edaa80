// What stands where nothing is yet: a skeleton while it loads, an empty state that says how to begin,
// and the one live region of a page for what must be announced.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { IconName } from '../rules/icon-paths.ts'
import { Icon } from './icon.tsx'

/** `label` says what loads; the lines are hidden from screen readers. */
export function Skeleton({
  label,
  lines = 4,
}: {
  readonly label: string
  readonly lines?: number
}) {
  return (
    <div class="skeleton" role="img" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} aria-hidden="true" />
      ))}
    </div>
  )
}

export interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div class="empty">
      <span class="emblem tone-quiet">
        <Icon name={icon} />
      </span>
      <h2 class="empty-title">{title}</h2>
      {children && <div class="empty-text">{children}</div>}
      {actions && <div class="row">{actions}</div>}
    </div>
  )
}

/** One of a page. Its text changes only when something is ready, failed or ended. */
export interface Announcement {
  readonly text: string
  /** Another one for each announcement, so that the same words can be announced twice. */
  readonly turn: number
}

export function LiveRegion({ text, turn }: Announcement) {
  return (
    <div class="unseen" role="status" aria-live="polite">
      <span key={turn}>{text}</span>
    </div>
  )
}
