// The question before an app is switched off: everywhere, on one EHR, or in one practice that is found by its name. It
// says what ends, takes a reason, and the name of the app as a guard against a wrong press.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { SelectField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { changeApp, countLiveLaunches } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { listAccounts } from '../../api/people.ts'
import { loadEhrStops } from '../../api/running.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { RadioChoice } from '../../forms/radio-choice.tsx'
import { useRecord } from '../../load/use-record.ts'
import { ReasonField } from '../../parts/reason-field.tsx'
import { RecordPicker } from '../../parts/record-picker.tsx'
import type { PickedRecord } from '../../parts/use-record-search.ts'
import { useStopApp } from '../../parts/use-stop-app.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { session } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'

export interface SwitchOffProps {
  readonly app: App
  readonly onChanged: (read: Answered<App>) => void
  /** Runs when the app was stopped in one practice, or on one EHR. */
  readonly onStopped: () => void
  readonly onClose: () => void
}

export function SwitchOffDialog({ app, onChanged, onStopped, onClose }: SwitchOffProps) {
  const live = useRecord((signal) => countLiveLaunches(app.id, { signal }), app.id)
  const where = useSignal<Place>('everywhere')
  const chosen = useSignal<PickedRecord | undefined>(undefined)
  const isMissing = useSignal(false)
  const stop = useStopApp(app)
  const isEverywhere = where.value === 'everywhere'
  const switchOff = () => {
    const reason = stop.reason.value.trim()
    return stop.action.run(async () => {
      onChanged(await changeApp(app.id, { enabled: false, ...(reason === '' ? {} : { reason }) }))
      notify('good', `${app.name} is switched off. Its open launches have ended.`)
    })
  }
  const confirm = async () => {
    const place = chosen.value
    isMissing.value = !isEverywhere && place === undefined
    if (isMissing.value) return
    const stopThere = where.value === 'ehr' ? stop.stopOn : stop.stopIn
    if (!(await (place ? stopThere(place) : switchOff()))) return
    onClose()
    if (place) onStopped()
  }
  const choose = (place: PickedRecord | undefined) => {
    chosen.value = place
    isMissing.value = false
    stop.action.clear()
  }
  return (
    <ConfirmActionDialog
      isOpen
      title={describeQuestion(app.name, where.value, chosen.value?.name)}
      button={isEverywhere ? 'Switch it off' : 'Stop it there'}
      cancel="Keep it running"
      typedName={app.name}
      action={stop.action}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <RadioChoice
        label="Where"
        name="where"
        value={where.value}
        options={PLACES.filter(({ value }) => value !== 'practice' || mayStopSomewhere())}
        onChange={(value) => {
          where.value = value
          choose(undefined)
        }}
      />
      {isEverywhere && <p>{describeLive(live.data)}</p>}
      {where.value === 'ehr' && (
        <EhrPicker
          app={app}
          value={chosen.value}
          error={isMissing.value ? 'Choose the EHR.' : undefined}
          onChange={choose}
        />
      )}
      {where.value === 'practice' && (
        <PracticePicker
          value={chosen.value}
          error={isMissing.value ? 'Choose the practice.' : undefined}
          onChange={choose}
        />
      )}
      <ReasonField
        stop={stop}
        hint={
          where.value === 'practice'
            ? 'The vendor gets it without your name, the platform and the audit trail with it.'
            : 'The people of the app and of the platform read it; providers do not.'
        }
      />
    </ConfirmActionDialog>
  )
}

type Place = (typeof PLACES)[number]['value']

function describeQuestion(app: string, where: Place, name: string | undefined): string {
  switch (where) {
    case 'everywhere':
      return `Switch off ${app} everywhere?`
    case 'ehr':
      return `Stop ${app} on ${name ?? 'one EHR'}?`
    case 'practice':
      return `Stop ${app} in ${name ?? 'one practice'}?`
  }
}

const PLACES = [
  { value: 'everywhere', label: 'Everywhere', text: 'No practice opens it until it is on again.' },
  {
    value: 'ehr',
    label: 'On one EHR',
    text: 'In every practice: its open launches there end within a second. Other EHRs are not touched.',
  },
  {
    value: 'practice',
    label: 'In one practice',
    text: 'Its open launches there end within a second. Other practices are not touched.',
  },
] as const

const isOfPlatform = () => session.value?.user.role === 'admin'

/** The practices that the person administers. */
const listOwn = () =>
  (session.value?.scopes ?? []).filter(
    (scope) => scope.kind === 'account' && isAllowedIn(scope, 'run'),
  )

const mayStopSomewhere = () => isOfPlatform() || listOwn().length > 0

interface PickerProps {
  readonly value: PickedRecord | undefined
  readonly error: string | undefined
  readonly onChange: (practice: PickedRecord | undefined) => void
}

function PracticePicker({ value, error, onChange }: PickerProps) {
  const seen = useRef<readonly PickedRecord[]>([])
  const search = async (text: string, signal: AbortSignal): Promise<readonly PickedRecord[]> => {
    const wanted = text.toLocaleLowerCase()
    const found = isOfPlatform()
      ? (await listAccounts(undefined, { signal }, text)).items
      : listOwn().filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    seen.current = found.map(({ id, name }) => ({ id, name }))
    return seen.current
  }
  return (
    <RecordPicker
      label="Practice"
      none="Choose a practice"
      error={error}
      value={value?.id ?? ''}
      onChange={(id) => onChange(seen.current.find((one) => one.id === id))}
      search={search}
      nameOf={async () => value?.name ?? ''}
    />
  )
}

/** Offers the EHRs of its launches of the last two weeks, where it runs. */
function EhrPicker({ app, value, error, onChange }: PickerProps & { readonly app: App }) {
  const load = useRecord((signal) => loadEhrStops(app.id, { signal }), app.id)
  const ehrs = (load.data?.ehrs ?? []).filter(({ stopped }) => !stopped)
  return (
    <SelectField
      label="EHR"
      name="ehr"
      value={value?.id ?? ''}
      error={error}
      options={[
        { value: '', label: 'Choose an EHR' },
        ...ehrs.map(({ ehrType }) => ({ value: ehrType, label: ehrType })),
      ]}
      onChange={(type) => {
        onChange(type === '' ? undefined : { id: type, name: type })
      }}
    />
  )
}

function describeLive(live: { readonly count: number; readonly isMore: boolean } | undefined) {
  if (!live) return 'Counting the open launches…'
  if (live.count === 0) return 'No launch is open now. New ones are refused until it is on again.'
  const [count, are, end] =
    live.count === 1
      ? ['1 launch', 'is', 'its token dies']
      : [`${live.count}${live.isMore ? ' or more' : ''} launches`, 'are', 'their tokens die']
  return `${count} ${are} open now: ${end} within a second, and the panel tells the provider that the app was switched off. Text that is not saved is lost.`
}
