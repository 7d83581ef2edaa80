// A layer of the browser (popover) that hangs on its button: the browser closes it on Escape, on a
// press elsewhere and when another opens, and keeps it above everything. It hangs below where
// there is room, also after the window has changed its size. Menu and popover use it.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface LayerParts {
  readonly id: string
  readonly isOpen: boolean
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  readonly layerRef: RefObject<HTMLDivElement | null>
  /** Handles the event of the layer's element. */
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
    const [trigger, layer] = [triggerRef.current, layerRef.current]
    if (!isShown || trigger === null || layer === null) return
    const place = () => placeAnew(trigger, layer)
    // The window may have changed its size since the layer opened.
    place()
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('resize', place)
      layer.style.removeProperty(FALLBACKS)
    }
  }, [isShown])
  const onToggle = (event: Pick<ToggleEvent, 'newState'>) => {
    isOpen.value = event.newState === 'open'
  }
  return { id: `layer-${id}`, isOpen: isShown, triggerRef, layerRef, onToggle }
}

const FALLBACKS = 'position-try-fallbacks'
/** The gap between the button and its layer, and between the layer and the edge of the window. */
const GAP_PX = 12

/**
 * The browser leaves an open layer above its button, once it had no room below, although there is room
 * again: as long as there is, that side is none of the fallbacks.
 */
function placeAnew(trigger: HTMLElement, layer: HTMLElement): void {
  const room = window.innerHeight - trigger.getBoundingClientRect().bottom
  const isRoomBelow = room >= layer.getBoundingClientRect().height + GAP_PX
  if (isRoomBelow) layer.style.setProperty(FALLBACKS, 'flip-inline')
  else layer.style.removeProperty(FALLBACKS)
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
