// The address of the open page as a signal, and how a page changes it. Plain links work: a press on a
// link to an address of the console is taken here, without loading the document again.
import { batch, signal } from '@preact/signals'
import { CONSOLE_PATH } from '../installation.ts'

export interface Place {
  /** The path below the console, without a slash at either end: `acc_1/people`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Grows with each visit, so that a page opened again starts over. */
  readonly visit: number
}

let visits = 0

const read = (): Place => ({
  path: decodeURI(location.pathname)
    .slice(CONSOLE_PATH.length)
    .replace(/^\/|\/$/g, ''),
  query: new URLSearchParams(location.search),
  visit: visits,
})

export const place = signal<Place>(read())

/** An address of the console from a path below it. */
export const addressOf = (path: string): string =>
  path === '' ? CONSOLE_PATH : `${CONSOLE_PATH}/${path}`

/** The guards are asked before a page is left; a form with changes says no. */
const guards = new Set<() => boolean>()

export function addLeaveGuard(mayLeave: () => boolean): () => void {
  guards.add(mayLeave)
  return () => guards.delete(mayLeave)
}

const QUESTION = 'Leave this page? What you have changed is not saved.'
const mayLeave = () => [...guards].every((guard) => guard()) || confirm(QUESTION)

/** Opens a page; `address` as {@link addressOf} makes it, with or without a query. */
export function navigate(address: string, options: { readonly isReplaced?: boolean } = {}): void {
  if (!mayLeave()) return
  if (options.isReplaced) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  arrive()
}

function arrive(): void {
  visits += 1
  place.value = read()
}

/**
 * Changes the query of the open page in place: filters and tabs that a link should keep. `isPushed`: Back leads to
 * the query before.
 */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  { isPushed = false }: { readonly isPushed?: boolean } = {},
): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  const address = location.pathname + (text === '' ? '' : `?${text}`)
  if (isPushed) history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  place.value = { ...place.value, query }
}

const isOfConsole = ({ origin, pathname }: URL | HTMLAnchorElement) =>
  origin === location.origin &&
  (pathname === CONSOLE_PATH || pathname.startsWith(`${CONSOLE_PATH}/`))

/** Follows links; the shell calls it once. */
export function followLinks(): void {
  addEventListener('popstate', () => batch(arrive))
  addEventListener('beforeunload', (event) => {
    if (![...guards].every((guard) => guard())) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!isPlain || event.defaultPrevented || !link || link.target !== '' || link.download !== '')
      return
    if (!isOfConsole(link)) return
    event.preventDefault()
    navigate(link.href)
  })
}
