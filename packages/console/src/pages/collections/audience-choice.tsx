// Who gets a version: every practice that follows the latest, one in ten of them, or chosen ones, which are found by
// name. It saves nothing; the dialog around it does.
/** @jsxImportSource preact */
import type { Account } from '@chartside/protocol/payloads'
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { Audience } from '../../api/collections.ts'
import { RadioChoice } from '../../forms/radio-choice.tsx'

export type AudienceKind = 'all' | 'share' | 'chosen'

export const audienceOf = (kind: AudienceKind, accountIds: readonly string[]): Audience =>
  kind === 'all' ? 'all' : kind === 'share' ? { share: SHARE_PERCENT } : { accountIds }

const SHARE_PERCENT = 10
/** Further ones are found by name. */
const MAX_SHOWN = 50

const KINDS = [
  { value: 'all', label: 'All practices', text: 'At their next EHR session.' },
  { value: 'share', label: 'One practice in ten', text: 'Chosen by chance. Give it to all later.' },
  { value: 'chosen', label: 'Chosen practices', text: 'The others stay as they are.' },
] as const

export interface AudienceChoiceProps {
  readonly kind: AudienceKind
  readonly chosen: readonly string[]
  /** Those that the person sees. */
  readonly followers: readonly Account[]
  readonly error: string | undefined
  readonly onKind: (kind: AudienceKind) => void
  readonly onChosen: (accountIds: readonly string[]) => void
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
