// The practices that run a collection, among those that the person sees, and which version each runs:
// always the latest, or one that is pinned until it is changed.
/** @jsxImportSource preact */
import type { Account, Collection, CollectionVersion } from '@chartside/protocol/payloads'
import { Button, EmptyState, SelectField, Table } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { loadAccount } from '../../api/accounts.ts'
import { chooseVersion, type VersionChoice } from '../../api/collections.ts'
import { listAccounts } from '../../api/people.ts'
import { ApiProblem } from '../../api/problem.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useRecord } from '../../load/use-record.ts'
import { Section } from '../../parts/page-head.tsx'
import { RecordPicker } from '../../parts/record-picker.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

export interface PracticesSectionProps {
  readonly collection: Collection
  /** The audience of the newest version. */
  readonly audience: CollectionVersion['audience']
  readonly runners: readonly Account[]
  readonly scope: Scope
  readonly onChanged: (account: Account) => void
}

export function PracticesSection(props: PracticesSectionProps) {
  const { collection, audience, runners, scope, onChanged } = props
  const pending = useSignal<Account | 'new' | undefined>(undefined)
  const mayChange = isAllowedIn(scope, 'run')
  const isPublished = collection.latestVersion > 0
  const choose = mayChange && (
    <Button
      icon="plus"
      isDisabled={!isPublished}
      onPress={() => {
        pending.value = 'new'
      }}
    >
      Let a practice run it
    </Button>
  )
  return (
    <Section title="Practices" actions={choose}>
      {runners.length === 0 ? (
        <div class="card">
          <NoRunner scope={scope} isPublished={isPublished} />
        </div>
      ) : (
        <div class="card list-card">
          <Table
            caption="Practices"
            isCaptionHidden
            rows={runners}
            rowId={({ id }) => id}
            columns={[
              { id: 'name', label: 'Practice', render: ({ name }) => name },
              {
                id: 'version',
                label: 'Version',
                render: (account) => describeVersion(account, collection, audience),
              },
              ...(mayChange
                ? [
                    {
                      id: 'change',
                      label: 'Change',
                      render: (account: Account) => (
                        <Button
                          isCompact
                          onPress={() => {
                            pending.value = account
                          }}
                        >
                          Change<span class="unseen"> the version of {account.name}</span>
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </div>
      )}
      {pending.value !== undefined && (
        <ChooseDialog
          collection={collection}
          account={pending.value === 'new' ? undefined : pending.value}
          onClose={() => {
            pending.value = undefined
          }}
          onChanged={onChanged}
        />
      )}
    </Section>
  )
}

/** Shows a text for the role: only the platform sees every account. */
function NoRunner({
  scope,
  isPublished,
}: {
  readonly scope: Scope
  readonly isPublished: boolean
}) {
  if (scope.role !== 'platform' && isPublished) {
    return (
      <EmptyState icon="building" title="None of your practices runs it">
        <p class="quiet">
          Which others run it only administrators of the platform see. Where its apps were launched
          stands under <a href={scopedAddress(scope, 'launches')}>Launches</a>.
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="building" title="No practice runs it yet">
      <p class="quiet">
        {isPublished
          ? 'Choose a practice: its apps open beside the chart from the next EHR session on.'
          : 'Publish the first version, then choose a practice.'}
      </p>
    </EmptyState>
  )
}

function describeVersion(
  { id, collection: choice }: Account,
  { latestVersion }: Collection,
  audience: CollectionVersion['audience'],
): string {
  if (choice?.version !== 'latest') return `pinned to ${choice?.version}`
  const isGiven = audience?.accountIds.includes(id) ?? true
  return isGiven ? `the latest (now ${latestVersion})` : `the latest (not yet ${latestVersion})`
}

const NONE = 'none'

interface ChooseDialogProps {
  readonly collection: Collection
  readonly account: Account | undefined
  readonly onClose: () => void
  readonly onChanged: (account: Account) => void
}

function ChooseDialog(props: ChooseDialogProps) {
  const { collection, account, onClose, onChanged } = props
  const { id, name, latestVersion } = collection
  const form = useForm({
    /** Without a choice the practice keeps what it runs; a practice that is new to it follows the latest. */
    initial: { accountId: account?.id ?? '', version: '' },
    async save({ accountId }) {
      const choice: VersionChoice = version === 'latest' ? 'latest' : Number(version)
      const chosen = version === NONE ? null : { id, version: choice }
      try {
        const { data } = await chooseVersion(accountId, chosen, seen.data?.etag)
        onChanged(data)
        notify('good', `${data.name}: EHR sessions that open from now on follow the choice.`)
        onClose()
      } catch (error) {
        // The dialog asks again, and shows what the practice runs now.
        if (error instanceof ApiProblem && error.code === 'precondition_failed') {
          form.set('version', '')
          seen.reload()
        }
        throw error
      }
    },
  })
  const { accountId } = form.values
  const seen = useRecord(
    async (signal) => (accountId === '' ? undefined : loadAccount(accountId, { signal })),
    accountId,
  )
  const runs = seen.data?.data.collection
  const current = runs?.id === id ? String(runs.version) : 'latest'
  const version = form.values.version || current
  const versions = Array.from({ length: latestVersion }, (_, i) => String(latestVersion - i))
  return (
    <FormDialog
      isOpen
      title={account ? `Version of ${account.name}` : 'Let a practice run it'}
      form={form}
      submit={account ? 'Save' : 'Run it'}
      isIncomplete={!seen.data}
      onClose={onClose}
    >
      {seen.problem && <FormProblem problem={seen.problem} />}
      {!account && (
        <RecordPicker
          label="Practice"
          none="Search by name"
          value={accountId}
          onChange={(chosen) => form.set('accountId', chosen ?? '')}
          search={async (text, signal) => {
            const { items } = await listAccounts(undefined, { signal }, text)
            return items.filter((one) => one.collection?.id !== id)
          }}
          nameOf={async (chosen, signal) => (await loadAccount(chosen, { signal })).data.name}
        />
      )}
      <SelectField
        label="Version"
        name="version"
        hint="The latest follows each publication; a pinned version stays until you change it."
        value={version}
        options={[
          { value: 'latest', label: `Always the latest (now ${latestVersion})` },
          ...versions.map((version) => ({ value: version, label: `Version ${version}` })),
          ...(account ? [{ value: NONE, label: `Nothing: stop running ${name}` }] : []),
        ]}
        onChange={(value) => form.set('version', value)}
      />
      {runs && runs.id !== id && (
        <p class="quiet">It replaces the collection that runs there now.</p>
      )}
    </FormDialog>
  )
}
