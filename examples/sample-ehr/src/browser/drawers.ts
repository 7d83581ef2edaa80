// The two buttons that show and hide the panel and the timeline. Where the window has no room beside
// the chart both are drawers over it, and closed at first. Owns visibility; the sheets own the place.
import { byId } from './elements.ts'

/** The width as in the sheets. */
const TIMELINE_FITS = '(min-width: 1321px)'
const PANEL_FITS = '(min-width: 1001px)'

export interface Drawers {
  /** Shows the panel as the address says, where it has room. */
  isPanelOpen(wanted: 'open' | 'closed'): boolean
  showButtons(isSignedIn: boolean): void
}

export function createDrawers({ onPanel }: { onPanel(isOpen: boolean): void }): Drawers {
  const panel = byId('panel-toggle', HTMLButtonElement)
  const timeline = byId('timeline-toggle', HTMLButtonElement)
  const section = byId('timeline', HTMLElement)
  const isOpen = (toggle: HTMLElement) => toggle.getAttribute('aria-expanded') === 'true'
  const showTimeline = (shown: boolean): void => {
    timeline.setAttribute('aria-expanded', String(shown))
    section.hidden = !shown
  }
  panel.addEventListener('click', () => {
    panel.setAttribute('aria-expanded', String(!isOpen(panel)))
    onPanel(isOpen(panel))
  })
  timeline.addEventListener('click', () => showTimeline(!isOpen(timeline)))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen(timeline) || matchMedia(TIMELINE_FITS).matches) return
    showTimeline(false)
    timeline.focus()
  })
  return {
    isPanelOpen: (wanted) => {
      const shown = wanted === 'open' && matchMedia(PANEL_FITS).matches
      panel.setAttribute('aria-expanded', String(shown))
      return shown
    },
    showButtons: (isSignedIn) => {
      panel.hidden = !isSignedIn
      if (!timeline.hidden) return
      timeline.hidden = false
      showTimeline(matchMedia(TIMELINE_FITS).matches)
    },
  }
}
