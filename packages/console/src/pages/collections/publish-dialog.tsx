// The question before a draft becomes a version: what changes, for whom at once, who stays where they are,
// and a note for those who read the list of versions.
/** @jsxImportSource preact */
import type { Account, Collection } from '@chartside/protocol/payloads'
import { TextField } from '@chartside/ui'
import type { Answered } from '../../api/client.ts'
import { publish } from '../../api/collections.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { ChangeList } from '../../parts/change-list.tsx'
import type { ChangeLine } from '../../parts/version-changes.ts'
import { notify } from '../../shell/announcements.ts'
import { AudienceChoice, type AudienceKind, audienceOf, FIRST_WIDEN } from './audience-choice.tsx'
import { listAffected } from './draft-rules.ts'

export interface PublishDialogProps {
  readonly read: Answered<Collection>
  readonly lines: readonly ChangeLine[]
  readonly runners: readonly Account[]
  readonly onClose: () => void
  readonly onPublished: () => void
}

export function PublishDialog(props: PublishDialogProps) {
  const { read, lines, runners, onClose, onPublished } = props
  const { id, name, latestVersion } = read.data
  const form = useForm({
    initial: {
      ...{ notes: '', audience: 'all' as AudienceKind, widen: FIRST_WIDEN },
      chosen: [] as readonly string[],
    },
    check: ({ audience, chosen }) =>
      audience === 'chosen' && chosen.length === 0 ? { chosen: 'Choose a practice.' } : {},
    async save({ notes, audience, chosen, widen }) {
      const publication = {
        ...{ notes: notes.trim(), audience: audienceOf(audience, chosen) },
        widen: audience === 'widen' ? widen : undefined,
      }
      const { version } = await publish(id, publication, read.etag)
      notify('good', `${name} is published as version ${version}.`)
      onClose()
      onPublished()
    },
  })
  return (
    <FormDialog
      isOpen
      title={`Publish version ${latestVersion + 1}?`}
      form={form}
      submit={`Publish version ${latestVersion + 1}`}
      onClose={onClose}
    >
      <ChangeList lines={lines} />
      {latestVersion > 0 && (
        <AudienceChoice
          kind={form.values.audience}
          chosen={form.values.chosen}
          widen={form.values.widen}
          followers={listAffected(runners).following}
          error={form.error('chosen')}
          onKind={(kind) => form.set('audience', kind)}
          onChosen={(chosen) => form.set('chosen', chosen)}
          onWiden={(widen) => form.set('widen', widen)}
        />
      )}
      {form.values.audience === 'all' && <Affected runners={runners} />}
      <TextField
        label="Note"
        hint="What changes and why, for those who read the versions later."
        name="notes"
        autocomplete="off"
        value={form.values.notes}
        error={form.error('notes')}
        onInput={(value) => form.set('notes', value)}
      />
    </FormDialog>
  )
}

const MAX_NAMES = 5

const namesOf = (accounts: readonly { readonly name: string }[]) => {
  const shown = accounts.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = accounts.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

/** Names who runs the collection, among the accounts that the person sees. */
function Affected({ runners }: { readonly runners: readonly Account[] }) {
  const { following, pinned } = listAffected(runners)
  if (runners.length === 0) {
    return <p class="quiet">No practice that you see runs this collection.</p>
  }
  return (
    <p class="quiet">
      {following.length > 0 && (
        <>
          <strong>{namesOf(following)}</strong> follow{following.length === 1 ? 's' : ''} the latest
          version: EHR sessions that open from now on have it.{' '}
        </>
      )}
      {pinned.length > 0 &&
        `${namesOf(pinned)} stay${pinned.length === 1 ? 's' : ''} on the version chosen.`}
    </p>
  )
}
