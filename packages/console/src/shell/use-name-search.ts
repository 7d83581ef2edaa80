// Apps, people and accounts whose name has what is typed in the palette: searched by the service, the newest search
// alone counts. Each leads to its page in the open scope; what this scope has no page for is not searched. What may
// be done with an app or a collection follows; “stop”, “new secret” or “publish” before its name asks for that alone.
import type { Running } from '@chartside/protocol/payloads'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { listApps } from '../api/apps.ts'
import { listCollections } from '../api/collections.ts'
import { findPeople } from '../api/find-people.ts'
import { listAccounts } from '../api/people.ts'
import { loadRunning } from '../api/running.ts'
import { personAddress } from '../parts/person-link.tsx'
import { findScopedPage, scopedAddress } from '../route/addresses.ts'
import { isAllowedIn, type Scope } from '../session/scopes.ts'
import { newSecretCommand, publishCommand, stopHereCommand, switchOffCommand } from './commands.ts'
import type { PaletteItem } from './palette-items.ts'

const WAIT_MS = 200
/** Nearly every name has one character. */
const MIN_CHARACTERS = 2
const MAX_OF_A_KIND = 5
const MAX_COMMANDS = 3
/** The form of an identifier or a bearer value, which is not sent in an address. */
const IS_NO_NAME = /^[a-z]{2,4}_/
/** The words before the name of an app or a collection. */
const VERBS = {
  stop: /^(?:switch off|stop)\s+(?=\S)/i,
  secret: /^new secret\s+(?:for\s+)?(?=\S)/i,
  publish: /^publish\s+(?=\S)/i,
} as const
type Verb = keyof typeof VERBS

const findVerb = (typed: string): Verb | undefined =>
  (Object.keys(VERBS) as Verb[]).find((verb) => VERBS[verb].test(typed))

type Search = (text: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>

export interface NameSearch {
  readonly items: readonly PaletteItem[]
  /** True when the items are of what is typed now, and where nothing is searched. */
  readonly isDone: boolean
}

export function useNameSearch(text: string, scope: Scope): NameSearch {
  const found = useSignal<{ readonly of: string; readonly items: readonly PaletteItem[] }>(NOTHING)
  /** The answer is read once for the open palette. */
  const running = useRef<Promise<Running> | undefined>(undefined)
  const typed = text.trim()
  const verb = findVerb(typed)
  const name = verb ? typed.replace(VERBS[verb], '') : typed
  const isSearched = name.length >= MIN_CHARACTERS && !IS_NO_NAME.test(name)
  useEffect(() => {
    if (!isSearched) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      const searches = [
        ...(verb ? [] : listSearches(scope)),
        ...listCommandSearches(scope, verb, () => (running.current ??= loadRunning(scope.id))),
      ]
      const results = await Promise.allSettled(
        searches.map((search) => search(name, controller.signal)),
      )
      if (controller.signal.aborted) return
      const items = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      found.value = { of: typed, items }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed, scope.id])
  const { of, items } = found.value
  return isSearched ? { items: of === typed ? items : [], isDone: of === typed } : NOT_SEARCHED
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
    return found
      .slice(0, MAX_OF_A_KIND)
      .map(({ id, name }) => itemOf('Person', { id, name }, personAddress(scope, id)))
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

type LoadRunning = () => Promise<Running>

/** Lists what may be done with an app or a collection of this name; each leads to the open dialog, which asks. */
function listCommandSearches(
  scope: Scope,
  verb: Verb | undefined,
  loadRunningApps: LoadRunning,
): readonly Search[] {
  const accountId = scope.kind === 'platform' ? undefined : scope.id
  const isWanted = (one: Verb) => verb === undefined || verb === one
  const ofApps: Search = async (text, signal) => {
    const { items } = await listApps(accountId, undefined, { signal }, text)
    const running = isWanted('stop') ? items.filter(({ enabled }) => enabled) : []
    return [
      ...running.slice(0, MAX_COMMANDS).map((app) => switchOffCommand(scope, app)),
      ...(isWanted('secret') ? items.slice(0, MAX_COMMANDS) : []).map((app) =>
        newSecretCommand(scope, app),
      ),
    ]
  }
  const hasName = (name: string, text: string) =>
    name.toLocaleLowerCase().includes(text.toLocaleLowerCase())
  const ofCollections: Search = async (text, signal) =>
    (await listCollections(accountId, undefined, { signal }, text)).items
      .slice(0, MAX_COMMANDS)
      .map((collection) => publishCommand(scope, collection))
  const stopHere: Search = async (text) =>
    (await loadRunningApps()).apps
      .filter(({ app, stopped }) => !stopped && hasName(app.name, text))
      .slice(0, MAX_COMMANDS)
      .map(({ app }) => stopHereCommand(scope, app))
  const has = (path: string) => findScopedPage(scope, path) !== undefined
  const mayRun = isAllowedIn(scope, 'run')
  return [
    ...(verb !== 'publish' && has('apps/x') && isAllowedIn(scope, 'develop') ? [ofApps] : []),
    ...(isWanted('publish') && has('collections/x') && mayRun ? [ofCollections] : []),
    ...(isWanted('stop') && has('running') && mayRun ? [stopHere] : []),
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
