// Stores the id of the app's session in the history entry of this frame. The id is useless without
// the cookie. An entry belongs to one frame and survives a reload; storage belongs to every frame
// of the origin in this tab, which may show other launches. Shares `history.state` with routers.
import type { Page } from './page.ts'

const KEY = 'chartside:session'

/** Undefined when this entry has none. */
export function readSessionId(page: Page): string | undefined {
  const id = (page.history.state as Record<string, unknown> | null)?.[KEY]
  return typeof id === 'string' ? id : undefined
}

/** Also marks an entry that a router has pushed since, and keeps the router's own state. */
export function writeSessionId(page: Page, id: string): void {
  const state = page.history.state as object | null
  const isMergeable = state === null || String(state) === '[object Object]'
  if (isMergeable && readSessionId(page) !== id) replaceState(page, { ...state, [KEY]: id })
}

export function deleteSessionId(page: Page, id: string): void {
  if (readSessionId(page) !== id) return
  const { [KEY]: _, ...rest } = page.history.state as Record<string, unknown>
  replaceState(page, Object.keys(rest).length > 0 ? rest : null)
}

/** When the browser refuses it (too many calls), only the reload is lost. */
function replaceState(page: Page, state: object | null): void {
  try {
    page.history.replaceState(state, '')
  } catch {}
}
