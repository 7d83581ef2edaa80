// The practices that run a collection, among those that the person sees, and which version each runs:
// always the latest, or one that is pinned until it is changed.
/** @jsxImportSource preact */
import type { Account, Collection } from '@chartside/protocol/payloads'
import { Button, EmptyState, SelectField, Table } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { chooseVersion, type VersionChoice } from '../../api/collections.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Section } from '../../parts/page-head.tsx'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

export interface PracticesSectionProps {
  readonly collection: Collection
  readonly accounts: readonly Account[]
  readonly scope: Scope
  readonly onChanged: (account: Account) => void
}

export function PracticesSection(props: PracticesSectionProps) {
  const { collection, accounts, scope, onChanged } = props
  const pending = useSignal<Account | 'new' | undefined>(undefined)
  const running = accounts.filter((account) => account.collection?.id === collection.id)
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
      {running.length === 0 ? (
        <div class="card">
          <EmptyState icon="building" title="No practice runs it yet">
            <p class="quiet">
              {isPublished
                ? 'Choose a practice: its apps open beside the chart from the next EHR session on.'
                : 'Publish the first version, then choose a practice.'}
            </p>
          </EmptyState>
        </div>
      ) : (
        <div class="card list-card">
          <Table
            caption="Practices"
            isCaptionHidden
            rows={running}
            rowId={({ id }) => id}
            columns={[
              { id: 'name', label: 'Practice', render: ({ name }) => name },
              {
                id: 'version',
                label: 'Version',
                render: (account) => describeVersion(account, collection),
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
          accounts={accounts}
          account={pending.value === 'new' ? undefined : pending.value}
          preferred={scope.id}
          onClose={() => {
            pending.value = undefined
          }}
          onChanged={onChanged}
        />
      )}
    </Section>
  )
}

const describeVersion = ({ collection: choice }: Account, { latestVersion }: Collection) =>
  choice?.version === 'latest'
    ? `the latest (now ${latestVersion})`
    : `pinned to ${choice?.version}`

const NONE = 'none'

interface ChooseDialogProps {
  readonly collection: Collection
  readonly accounts: readonly Account[]
  readonly account: Account | undefined
  readonly preferred: string
  readonly onClose: () => void
  readonly onChanged: (account: Account) => void
}

function ChooseDialog(props: ChooseDialogProps) {
  const { collection, accounts, account, preferred, onClose, onChanged } = props
  const { id, name, latestVersion } = collection
  const free = account ? [account] : accounts.filter((one) => one.collection?.id !== id)
  const first = free.find((one) => one.id === preferred) ?? free[0]
  const form = useForm({
    initial: {
      accountId: first?.id ?? '',
      version: String(account?.collection?.version ?? 'latest'),
    },
    async save({ accountId, version }) {
      const choice: VersionChoice = version === 'latest' ? 'latest' : Number(version)
      const chosen = version === NONE ? null : { id, version: choice }
      const { data } = await chooseVersion(accountId, chosen)
      onChanged(data)
      notify('good', `${data.name}: EHR sessions that open from now on follow the choice.`)
      onClose()
    },
  })
  const versions = Array.from({ length: latestVersion }, (_, i) => String(latestVersion - i))
  const replaced = free.find((one) => one.id === form.values.accountId)?.collection
  return (
    <FormDialog
      isOpen
      title={account ? `Version of ${account.name}` : 'Let a practice run it'}
      form={form}
      submit={account ? 'Save' : 'Run it'}
      onClose={onClose}
    >
      {!account && (
        <SelectField
          label="Practice"
          name="accountId"
          value={form.values.accountId}
          options={free.map((one) => ({ value: one.id, label: one.name }))}
          onChange={(value) => form.set('accountId', value)}
        />
      )}
      <SelectField
        label="Version"
        name="version"
        hint="The latest follows each publication; a pinned version stays until you change it."
        value={form.values.version}
        options={[
          { value: 'latest', label: `Always the latest (now ${latestVersion})` },
          ...versions.map((version) => ({ value: version, label: `Version ${version}` })),
          ...(account ? [{ value: NONE, label: `Nothing: stop running ${name}` }] : []),
        ]}
        onChange={(value) => form.set('version', value)}
      />
      {!account && replaced && <p class="quiet">It replaces the collection that runs there now.</p>}
    </FormDialog>
  )
}
