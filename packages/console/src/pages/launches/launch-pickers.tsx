// Narrows the list of launches to one app, to one provider for those who administer the practice, and to one
// practice: on the platform among all accounts, for a vendor among those where its apps were launched. The
// choices stand in the address, so that a link keeps them.
/** @jsxImportSource preact */

import type { Launch } from '@chartside/protocol/payloads'
import { listApps } from '../../api/apps.ts'
import { api } from '../../api/client.ts'
import { findPeople } from '../../api/find-people.ts'
import { listLaunches, listLaunchPractices } from '../../api/launches.ts'
import { listAccounts } from '../../api/people.ts'
import { RecordPicker } from '../../parts/record-picker.tsx'
import type { PickedRecord } from '../../parts/use-record-search.ts'
import { place, setQuery } from '../../route/location.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import type { ListedTime } from './launch-list.ts'

const describeCount = (count: number) => (count === 1 ? '1 launch' : `${count} launches`)

const nameAt = async (path: string, signal: AbortSignal): Promise<string> =>
  (await api.get<{ readonly name: string }>(path, { signal })).name

interface LaunchPickersProps {
  readonly scope: Scope
  /** The shown launches: a practice sees launches of apps that others register. */
  readonly shown: () => readonly Launch[]
  /** Whether launches run in other accounts than this one. */
  readonly hasPractices: boolean
  /** Whether launches name their providers: never to a vendor. */
  readonly hasPeople: boolean
  /** Returns the time of the listed launches. */
  readonly time: () => ListedTime
}

export function LaunchPickers(props: LaunchPickersProps) {
  const { scope, shown, hasPractices, hasPeople, time } = props
  const { query } = place.value
  const isPlatform = scope.kind === 'platform'
  const inAccount = isPlatform ? (query.get('accountId') ?? undefined) : scope.id
  const searchApps = async (text: string, signal: AbortSignal): Promise<PickedRecord[]> => {
    const { items } = await listApps(inAccount, undefined, { signal }, text)
    const wanted = text.toLowerCase()
    const used = shown().flatMap(({ app }) =>
      app.name.toLowerCase().includes(wanted) ? [app] : [],
    )
    const all = [...items.map(({ id, name }) => ({ id, name })), ...used]
    return [...new Map(all.map((one) => [one.id, one])).values()]
  }
  const searchPractices = async (
    asked: { readonly q?: string; readonly practiceId?: string },
    signal: AbortSignal,
  ): Promise<PickedRecord[]> => {
    const filter = { accountId: inAccount, ...time(), ...asked }
    const { items } = await listLaunchPractices(filter, { signal, isBackground: true })
    return items.map(({ id, name, count }) => ({ id, name, detail: describeCount(count) }))
  }
  const searchPeople = async (q: string, signal: AbortSignal): Promise<readonly PickedRecord[]> =>
    (await findPeople(scope, q, signal)).map(({ id, name, email }) => ({ id, name, detail: email }))
  return (
    <div class="launch-pickers">
      <RecordPicker
        label="App"
        none="Every app"
        value={query.get('appId') ?? ''}
        onChange={(appId) => setQuery({ appId })}
        search={searchApps}
        nameOf={async (id, signal) =>
          shown().find(({ app }) => app.id === id)?.app.name ?? nameAt(`/api/apps/${id}`, signal)
        }
      />
      {(isPlatform || hasPeople) && isAllowedIn(scope, 'run') && (
        <RecordPicker
          label="Provider"
          none="Every provider"
          value={query.get('userId') ?? ''}
          onChange={(userId) => setQuery({ userId })}
          search={searchPeople}
          nameOf={async (userId, signal) => {
            const [launch] = (await listLaunches({ userId, limit: 1 }, { signal })).items
            return launch?.userName ?? userId
          }}
        />
      )}
      {!isPlatform && hasPractices && (
        <RecordPicker
          label="Practice"
          none="Every practice"
          value={query.get('practiceId') ?? ''}
          onChange={(practiceId) => setQuery({ practiceId })}
          search={(q, signal) => searchPractices({ q }, signal)}
          nameOf={async (practiceId, signal) =>
            (await searchPractices({ practiceId }, signal))[0]?.name ?? practiceId
          }
        />
      )}
      {isPlatform && (
        <RecordPicker
          label="Practice or vendor"
          none="Every account"
          value={query.get('accountId') ?? ''}
          onChange={(accountId) => setQuery({ accountId })}
          search={async (text, signal) => (await listAccounts(undefined, { signal }, text)).items}
          nameOf={(id, signal) => nameAt(`/api/accounts/${id}`, signal)}
        />
      )}
    </div>
  )
}
