// What the history entry of this frame remembers: the id of the app's session, which opens nothing
// without its cookie. An entry belongs to one frame and survives a reload; storage belongs to every
// frame of the origin in this tab, which may show other launches. Shares `history.state` with routers.
import type { Page } from './page.ts'

const KEY = 'chartside:session'

/** The session that this entry was left with. */
export function recallSession(page: Page): string | undefined {
  const id = (page.history.state as Record<string, unknown> | null)?.[KEY]
  return typeof id === 'string' ? id : undefined
}

/** Marks the entry, also one that a router has pushed since, beside what the router keeps there. */
export function rememberSession(page: Page, id: string): void {
  const state = page.history.state as object | null
  const isMergeable = state === null || String(state) === '[object Object]'
  if (isMergeable && recallSession(page) !== id) replaceState(page, { ...state, [KEY]: id })
}

export function forgetSession(page: Page, id: string): void {
  if (recallSession(page) !== id) return
  const { [KEY]: _, ...rest } = page.history.state as Record<string, unknown>
  replaceState(page, Object.keys(rest).length > 0 ? rest : null)
}

/** A browser that refuses it (too many in a row) takes the reload away and nothing else. */
function replaceState(page: Page, state: object | null): void {
  try {
    page.history.replaceState(state, '')
  } catch {}
}
