// Follows what the sandbox says of the apps' processes: one has stopped, or runs again with a new
// version. Keeps the list above the timeline, for the developer: apps that have stopped, and apps with a
// development server. The panel does the rest.
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
  const element = el('ul', { class: 'app-problems', 'aria-label': 'Apps of this sandbox' })
  element.hidden = true
  const shown = new Map<string, HTMLElement>()
  return {
    element,
    show: (app, notice) => {
      shown.get(notice.appId)?.remove()
      shown.delete(notice.appId)
      const text = describe(app, notice)
      if (text !== '') {
        const kind = notice.state === 'stopped' ? {} : { class: 'development' }
        const line = el('li', { 'data-app': app, ...kind }, text)
        shown.set(notice.appId, line)
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

/** Describes the notice; empty for an app of which there is nothing to say. */
function describe(app: string, { state, problem, isDevelopment }: AppNotice): string {
  if (state === 'stopped') {
    return `✕ ${app} has stopped: ${problem}. Save a file of it, and it starts again.`
  }
  return isDevelopment
    ? `${app}: development policy. It is weaker than in production, which npm run doctor tries.`
    : ''
}
