// Apps, people and accounts whose name has what is typed in the palette: searched by the service, the newest search
// alone counts. Each leads to its page in the open scope; what this scope has no page for is not searched.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listApps } from '../api/apps.ts'
import { withQuery } from '../api/client.ts'
import { findPeople } from '../api/find-people.ts'
import { listAccounts } from '../api/people.ts'
import { findScopedPage, scopedAddress } from '../route/addresses.ts'
import type { Scope } from '../session/scopes.ts'
import type { PaletteItem } from './palette-items.ts'

const WAIT_MS = 200
/** Nearly every name has one character. */
const MIN_CHARACTERS = 2
const MAX_OF_A_KIND = 5
/** Of an identifier or a bearer value, which is not sent in an address. */
const IS_NO_NAME = /^[a-z]{2,4}_/

type Search = (text: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>

export interface NameSearch {
  readonly items: readonly PaletteItem[]
  /** Of what is typed now; true where nothing is searched. */
  readonly isDone: boolean
}

export function useNameSearch(text: string, scope: Scope): NameSearch {
  const found = useSignal<{ readonly of: string; readonly items: readonly PaletteItem[] }>(NOTHING)
  const name = text.trim()
  const isSearched = name.length >= MIN_CHARACTERS && !IS_NO_NAME.test(name)
  useEffect(() => {
    if (!isSearched) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const searches = listSearches(scope).map((search) => search(name, controller.signal))
      const results = await Promise.allSettled(searches)
      if (controller.signal.aborted) return
      const items = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      found.value = { of: name, items }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [name, scope.id])
  const { of, items } = found.value
  return isSearched ? { items: of === name ? items : [], isDone: of === name } : NOT_SEARCHED
}

const NOTHING = { of: '', items: [] }
const NOT_SEARCHED: NameSearch = { items: [], isDone: true }

function listSearches(scope: Scope): readonly Search[] {
  const isPlatform = scope.kind === 'platform'
  const has = (path: string) => findScopedPage(scope, path) !== undefined
  const apps: Search = async (text, signal) => {
    const { items } = await listApps(isPlatform ? undefined : scope.id, undefined, { signal }, text)
    return items
      .slice(0, MAX_OF_A_KIND)
      .map(({ id, name }) => itemOf('App', { id, name }, scopedAddress(scope, `apps/${id}`)))
  }
  const people: Search = async (text, signal) => {
    const found = await findPeople(scope, text, signal)
    return found.slice(0, MAX_OF_A_KIND).map(({ id, name, email }) => {
      const address = withQuery(scopedAddress(scope, 'people'), { email })
      return itemOf('Person', { id, name }, address)
    })
  }
  const accounts: Search = async (text, signal) => {
    const { items } = await listAccounts(undefined, { signal }, text)
    return items
      .slice(0, MAX_OF_A_KIND)
      .map(({ id, name }) => itemOf('Account', { id, name }, scopedAddress({ id }, '')))
  }
  return [
    ...(has('apps/x') ? [apps] : []),
    ...(has('people') ? [people] : []),
    ...(isPlatform ? [accounts] : []),
  ]
}

const ICONS = { App: 'apps', Person: 'person', Account: 'building' } as const

const itemOf = (
  kind: keyof typeof ICONS,
  { id, name }: { readonly id: string; readonly name: string },
  address: string,
): PaletteItem => ({
  id: `found ${id}`,
  label: name,
  detail: kind,
  icon: ICONS[kind],
  target: { address },
})
