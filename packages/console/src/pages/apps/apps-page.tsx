// The apps that a scope registers: name, how each exchanges its code, and whether it is switched off. An
// account without one learns how to begin.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import type { Column } from '@chartside/ui'
import { listApps } from '../../api/apps.ts'
import { useList } from '../../load/use-list.ts'
import { accountColumn } from '../../parts/account-name.tsx'
import { AppName, AppState, describeOpening } from '../../parts/app.tsx'
import { sortByName, sortOf, timeColumn } from '../../parts/columns.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { RunningHint } from '../../parts/running-hint.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { WebhooksSection } from './webhooks-section.tsx'

export default function AppsPage({ scope }: PageProps) {
  const accountId = scope.kind === 'account' ? scope.id : undefined
  const find = place.value.query.get('find') ?? ''
  const sort = sortOf()
  const list = useList(
    (cursor, signal) => listApps(accountId, cursor, { signal }, find, sort),
    `${scope.id} ${find} ${sort}`,
  )
  const mayRegister = accountId !== undefined && isAllowedIn(scope, 'develop')
  const name: Column<App> = {
    id: 'name',
    label: 'App',
    sort: sortByName(),
    render: (app) => (
      <a href={scopedAddress(scope, `apps/${encodeURIComponent(app.id)}`)}>
        <AppName app={app} />
      </a>
    ),
  }
  return (
    <RecordListPage
      title="Apps"
      about={
        accountId === undefined
          ? 'Every app of the platform, of all vendors.'
          : `Apps that ${scope.name} has registered. Which practice runs them stands under What runs where.`
      }
      actions={
        mayRegister && (
          <a class="button primary" href={scopedAddress(scope, 'apps/new')}>
            Register an app
          </a>
        )
      }
      finders={<FindField label="Find an app" />}
      what="the apps"
      list={list}
      columns={() => [name, ...(accountId === undefined ? [accountColumn()] : []), ...COLUMNS]}
      empty={{
        icon: 'plug',
        title: 'No apps yet',
        text: <p class="quiet">{mayRegister ? HOW_TO_BEGIN : BY_VENDORS}</p>,
      }}
      hidden={{
        icon: 'plug',
        title: 'No app of its own',
        text: <RunningHint scope={scope} what="apps" />,
      }}
      noMatch={find === '' ? undefined : NO_MATCH}
    >
      {mayRegister && <WebhooksSection scope={scope} />}
    </RecordListPage>
  )
}

const NO_MATCH = {
  icon: 'search',
  title: 'No app matches',
  text: 'Search by part of its name.',
} as const

const HOW_TO_BEGIN = (
  <>
    Write one with <code>npm create chartside-app</code>, try it in the sandbox, then register its
    addresses here.
  </>
)
const BY_VENDORS = 'A vendor registers its apps in its own account.'

const OPTION = { app: '1', token_endpoint: '2', identity_provider: '3' } as const

const COLUMNS: readonly Column<App>[] = [
  { id: 'opens', label: 'Opens', render: describeOpening },
  { id: 'option', label: 'Option', render: ({ exchange }) => OPTION[exchange] },
  { id: 'state', label: 'State', render: (app) => <AppState app={app} /> },
  timeColumn('changed', 'Changed', ({ updatedAt }) => updatedAt),
]
