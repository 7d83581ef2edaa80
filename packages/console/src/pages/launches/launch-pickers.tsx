// Narrows the list of launches to one app, and on the platform to one practice or vendor. Both stand in the
// address, so that a link keeps them.
/** @jsxImportSource preact */

import { listApps } from '../../api/apps.ts'
import { api } from '../../api/client.ts'
import { listAccounts } from '../../api/people.ts'
import { type PickedRecord, RecordPicker } from '../../parts/record-picker.tsx'
import { place, setQuery } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'

const nameAt = async (path: string, signal: AbortSignal): Promise<string> =>
  (await api.get<{ readonly name: string }>(path, { signal })).name

interface LaunchPickersProps {
  readonly scope: Scope
  /** The apps of the shown launches: a practice sees launches of apps that others register. */
  readonly shownApps: () => readonly PickedRecord[]
}

export function LaunchPickers({ scope, shownApps }: LaunchPickersProps) {
  const { query } = place.value
  const isPlatform = scope.kind === 'platform'
  const inAccount = isPlatform ? (query.get('accountId') ?? undefined) : scope.id
  const searchApps = async (text: string, signal: AbortSignal): Promise<PickedRecord[]> => {
    const { items } = await listApps(inAccount, undefined, { signal }, text)
    const wanted = text.toLowerCase()
    const shown = shownApps().filter(({ name }) => name.toLowerCase().includes(wanted))
    const all = [...items.map(({ id, name }) => ({ id, name })), ...shown]
    return [...new Map(all.map((one) => [one.id, one])).values()]
  }
  return (
    <div class="launch-pickers">
      <RecordPicker
        label="App"
        none="Every app"
        value={query.get('appId') ?? ''}
        onChange={(appId) => setQuery({ appId })}
        search={searchApps}
        nameOf={async (id, signal) =>
          shownApps().find((one) => one.id === id)?.name ?? nameAt(`/api/apps/${id}`, signal)
        }
      />
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
