// Leads from what was pasted to the page of the record, within what the person sees. Asks the service
// where the text alone does not name the record.
import type { App, Launch } from '@chartside/protocol/payloads'
import { api, type Page, withQuery } from '../api/client.ts'
import { findPeople } from '../api/find-people.ts'
import { personAddress } from '../parts/person-link.tsx'
import { findScopedPage, scopedAddress } from '../route/addresses.ts'
import type { Scope } from '../session/scopes.ts'
import { session } from '../session/session.ts'
import type { Lookup, LookupKind } from './lookups.ts'

/** The page of each kind of record, below a scope. */
const PATHS: Readonly<Record<Exclude<LookupKind, 'account'>, string>> = {
  trace: 'launches/x',
  launchId: 'launches/x',
  launch: 'launches/x',
  client: 'apps/x',
  app: 'apps/x',
  email: 'people/x',
}

/** The scope in which the record is shown: the open one, or that of its account. */
const scopeFor = (accountId: string, open: Scope): Scope =>
  open.kind === 'platform'
    ? (session.value?.scopes.find(({ id }) => id === accountId) ?? open)
    : open

/** Whether the palette can lead there: the page exists for this scope. */
export const canLead = ({ kind }: Lookup, scope: Scope): boolean =>
  kind === 'account' || findScopedPage(scope, PATHS[kind]) !== undefined

/** The address of the record's page; undefined when nothing that the person sees matches. */
export async function findRecord(
  { kind, value }: Lookup,
  scope: Scope,
): Promise<string | undefined> {
  switch (kind) {
    case 'account':
      return scopedAddress({ id: value }, '')
    case 'launch':
      return scopedAddress(scope, `launches/${value}`)
    case 'app':
      return scopedAddress(scope, `apps/${value}`)
    case 'email':
      return findPerson(value.toLowerCase(), scope)
    case 'client':
      return findApp(value.toLowerCase(), scope)
    case 'trace':
      return findLaunch({ traceId: value.toLowerCase() }, scope)
    case 'launchId':
      return findLaunch({ launch_id: value }, scope)
  }
}

async function findPerson(email: string, scope: Scope): Promise<string | undefined> {
  const person = (await findPeople(scope, email)).find((one) => one.email === email)
  return person && personAddress(scope, person.id)
}

async function findApp(clientId: string, scope: Scope): Promise<string | undefined> {
  const { items } = await api.get<Page<App>>(withQuery('/api/apps', { clientId }))
  const [app] = items
  return app && scopedAddress(scopeFor(app.accountId, scope), `apps/${app.id}`)
}

async function findLaunch(
  query: Readonly<Record<string, string>>,
  scope: Scope,
): Promise<string | undefined> {
  const { items } = await api.get<Page<Launch>>(withQuery('/api/launches', query))
  const [launch] = items
  return launch && scopedAddress(scope, `launches/${launch.id}`)
}
