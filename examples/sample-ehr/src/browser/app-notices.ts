// Follows what the sandbox says of the apps' processes: one has stopped, or runs again with a new
// version. Keeps the list of stopped apps above the timeline, for the developer; the panel does the
// rest.
import type { AppNotice } from '../app-notices.ts'
import { el } from './elements.ts'

export type { AppNotice } from '../app-notices.ts'

export interface AppProblems {
  readonly element: HTMLElement
  show(app: string, notice: AppNotice): void
  /** It has work that is not saved, so it was not opened again. */
  showNewVersion(appId: string): void
}

export function followApps(onNotice: (notice: AppNotice) => void): void {
  const source = new EventSource('/app-notices')
  source.addEventListener('message', ({ data }) => onNotice(JSON.parse(data) as AppNotice))
}

export function createAppProblems(): AppProblems {
  const element = el('ul', { class: 'app-problems', 'aria-label': 'Apps that have stopped' })
  element.hidden = true
  const shown = new Map<string, HTMLElement>()
  return {
    element,
    show: (app, { appId, state, problem }) => {
      shown.get(appId)?.remove()
      shown.delete(appId)
      if (state === 'stopped') {
        const text = `✕ ${app} has stopped: ${problem}. Save a file of it, and it starts again.`
        const line = el('li', { 'data-app': app }, text)
        shown.set(appId, line)
        element.append(line)
      }
      element.hidden = shown.size === 0
    },
    showNewVersion: (appId) => {
      const text = 'A new version runs. Save your work in the app, then launch it again.'
      const line = el('li', {}, text)
      shown.get(appId)?.remove()
      shown.set(appId, line)
      element.append(line)
      element.hidden = false
    },
  }
}
