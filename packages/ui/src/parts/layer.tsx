// A layer of the browser (popover) that hangs on its button: the browser closes it on Escape, on a
// press elsewhere and when another opens, and keeps it above everything. It also closes when the window
// changes its size: browsers keep it on the side that it fell back to. Menu and popover use it.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface LayerParts {
  readonly id: string
  readonly isOpen: boolean
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  readonly layerRef: RefObject<HTMLDivElement | null>
  /** To be put on the layer's element. */
  onToggle(event: Pick<ToggleEvent, 'newState'>): void
}

/** Ties a button and its layer together, by CSS anchor; also says whether the layer is open. */
export function useLayer(): LayerParts {
  const id = useId()
  const isOpen = useSignal(false)
  const triggerRef = useRef<HTMLButtonElement>(null)
  const layerRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const anchor = `--anchor-${id}`
    triggerRef.current?.style.setProperty('anchor-name', anchor)
    layerRef.current?.style.setProperty('position-anchor', anchor)
  }, [id])
  const isShown = isOpen.value
  useEffect(() => {
    const layer = layerRef.current
    if (!isShown || layer === null) return
    const close = () => layer.hidePopover()
    window.addEventListener('resize', close)
    return () => window.removeEventListener('resize', close)
  }, [isShown])
  const onToggle = (event: Pick<ToggleEvent, 'newState'>) => {
    isOpen.value = event.newState === 'open'
  }
  return { id: `layer-${id}`, isOpen: isShown, triggerRef, layerRef, onToggle }
}

export interface PopoverProps {
  /** The text of the button, and the name of what opens. */
  readonly label: ComponentChildren
  readonly title: string
  readonly children: ComponentChildren
  readonly side?: 'start' | 'end' | undefined
  readonly isCompact?: boolean | undefined
}

export function Popover({
  label,
  title,
  children,
  side = 'start',
  isCompact = true,
}: PopoverProps) {
  const layer = useLayer()
  return (
    <>
      <button
        ref={layer.triggerRef}
        type="button"
        class={isCompact ? 'button compact' : 'button'}
        popovertarget={layer.id}
        aria-expanded={layer.isOpen}
        aria-haspopup="dialog"
      >
        {label}
      </button>
      <div
        ref={layer.layerRef}
        id={layer.id}
        class={`layer text ${side}`}
        popover="auto"
        role="dialog"
        aria-label={title}
        onToggle={layer.onToggle}
      >
        {children}
      </div>
    </>
  )
}
