// Who gets a version: every practice that follows the latest, one in ten of them, or chosen ones, which are found by
// name. It saves nothing; the dialog around it does.
/** @jsxImportSource preact */
import type { Account } from '@chartside/protocol/payloads'
import { SelectField, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { Audience, Widen } from '../../api/collections.ts'
import { RadioChoice } from '../../forms/radio-choice.tsx'

export type AudienceKind = 'all' | 'share' | 'widen' | 'chosen'

export const audienceOf = (kind: AudienceKind, accountIds: readonly string[]): Audience =>
  kind === 'all' ? 'all' : kind === 'chosen' ? { accountIds } : { share: SHARE_PERCENT }

export const FIRST_WIDEN: Widen = { readyPercent: 98, afterHours: 24 }

const SHARE_PERCENT = 10
/** The most practices in the list; further ones are found by name. */
const MAX_SHOWN = 50

const KINDS = [
  { value: 'all', label: 'All practices', text: 'At their next EHR session.' },
  { value: 'share', label: 'One practice in ten', text: 'Chosen by chance. Give it to all later.' },
  {
    value: 'widen',
    label: 'One practice in ten, then all',
    text: 'It goes to all by itself while its launches open well; otherwise it stops and says so.',
  },
  { value: 'chosen', label: 'Chosen practices', text: 'The others stay as they are.' },
] as const

export interface AudienceChoiceProps {
  readonly kind: AudienceKind
  readonly chosen: readonly string[]
  readonly widen: Widen
  /** The followers that the person sees. */
  readonly followers: readonly Account[]
  readonly error: string | undefined
  readonly onKind: (kind: AudienceKind) => void
  readonly onChosen: (accountIds: readonly string[]) => void
  readonly onWiden: (widen: Widen) => void
}

export function AudienceChoice(props: AudienceChoiceProps) {
  const { kind, chosen, followers, error, onKind, onChosen } = props
  const wanted = useSignal('')
  const found = followers.filter(({ name }) =>
    name.toLocaleLowerCase().includes(wanted.value.trim().toLocaleLowerCase()),
  )
  return (
    <>
      <RadioChoice
        label="Who gets it"
        name="audience"
        value={kind}
        options={KINDS.filter(({ value }) => value !== 'chosen' || followers.length > 0)}
        onChange={onKind}
      />
      {kind === 'widen' && <WidenFields widen={props.widen} onChange={props.onWiden} />}
      {kind === 'chosen' && (
        <>
          <TextField
            label="Find a practice"
            name="findPractice"
            type="search"
            autocomplete="off"
            value={wanted.value}
            error={error}
            onInput={(text) => {
              wanted.value = text
            }}
          />
          <fieldset class="choices audience">
            <legend>
              {chosen.length} of {followers.length} practices
            </legend>
            {found.slice(0, MAX_SHOWN).map(({ id, name }) => (
              <label key={id} class="choice">
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChosen(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                  }
                />
                <span dir="auto">{name}</span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </>
  )
}

const HOURS = [
  { value: '4', label: '4 hours' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
]
const PERCENTS = [90, 95, 98, 99, 100].map((percent) => ({
  value: String(percent),
  label: `${percent} %`,
}))

function WidenFields({
  widen,
  onChange,
}: {
  readonly widen: Widen
  readonly onChange: (widen: Widen) => void
}) {
  return (
    <div class="row">
      <SelectField
        label="To all after"
        name="afterHours"
        value={String(widen.afterHours)}
        options={HOURS}
        onChange={(value) => onChange({ ...widen, afterHours: Number(value) })}
      />
      <SelectField
        label="If so many launches open well"
        name="readyPercent"
        value={String(widen.readyPercent)}
        options={PERCENTS}
        onChange={(value) => onChange({ ...widen, readyPercent: Number(value) })}
      />
    </div>
  )
}
