// What is unfolded over the apps: a heading that gets the focus, a button and Escape that fold it in, and
// the focus back where it came from.
/** @jsxImportSource preact */
import { IconButton } from '@chartside/ui'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PanelAction } from './actions.ts'

export interface UnfoldedHeadProps {
  readonly title: string
  readonly back: string
  /** Selects the element that gets the focus back. */
  readonly returnTo: string
  readonly run: (action: PanelAction) => void
  readonly children: ComponentChildren
}

export function UnfoldedHead({ title, back, returnTo, run, children }: UnfoldedHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before the next key: until then the focus is outside, and Escape would do nothing.
  useLayoutEffect(() => heading.current?.focus(), [])
  const fold = () => {
    run({ type: 'fold' })
    document.querySelector<HTMLElement>(returnTo)?.focus()
  }
  return (
    <section
      class="unfolded"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') fold()
      }}
    >
      <div class="unfolded-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="cross" label={back} tone="bare" isCompact onPress={fold} />
      </div>
      {children}
    </section>
  )
}
