// The settings of one account, for those who run it: its names, whether a password of a member takes a second
// factor, the providers at which its members sign in, its e-mail domains, and its deletion.
/** @jsxImportSource preact */
import type { Account } from '@chartside/protocol/payloads'
import { Button, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { changeAccount, eraseAccount, loadAccount, removeAccount } from '../../api/accounts.ts'
import type { Answered } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { CheckboxChoice } from '../../forms/checkbox-choice.tsx'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useForm } from '../../forms/use-form.ts'
import { type Load, useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { addressOf, navigate } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import type { Scope } from '../../session/scopes.ts'
import { reloadSession } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'
import { DirectorySection } from './directory-section.tsx'
import { DomainsSection } from './domains-section.tsx'
import { ProvidersSection } from './providers-section.tsx'

export default function AccountPage({ scope }: PageProps) {
  const load = useRecord((signal) => loadAccount(scope.id, { signal }), scope.id)
  return (
    <>
      <PageHead title="Account" about={scope.name} />
      <Loaded load={load} what="the account">
        {(account) => (
          <>
            <AccountForm account={account} load={load} />
            <ProvidersSection account={account.data} />
            <DomainsSection account={account.data} />
            <DirectorySection account={account.data} />
            <RemoveAccount account={account} scope={scope} />
          </>
        )}
      </Loaded>
    </>
  )
}

const valuesOf = ({ name, shortName = '', requireSecondFactor, joinByDomain }: Account) => ({
  ...{ name, shortName, requireSecondFactor },
  mayJoin: joinByDomain === 'provider',
})

/** Returns only what differs: some of it takes a recent sign-in. */
function changeOf(values: ReturnType<typeof valuesOf>, seen: Account) {
  const stored = valuesOf(seen)
  const { name, requireSecondFactor, mayJoin } = values
  const shortName = values.shortName.trim()
  return {
    ...(name === stored.name ? {} : { name }),
    ...(shortName === stored.shortName ? {} : { shortName: shortName || null }),
    ...(requireSecondFactor === stored.requireSecondFactor ? {} : { requireSecondFactor }),
    ...(mayJoin === stored.mayJoin ? {} : { joinByDomain: joinWord(mayJoin) }),
  }
}

const joinWord = (mayJoin: boolean): Account['joinByDomain'] => (mayJoin ? 'provider' : 'off')

const factorWords = (isRequired: boolean) => (isRequired ? 'Required' : 'Optional')

function AccountForm({
  account,
  load,
}: {
  readonly account: Answered<Account>
  readonly load: Load<Answered<Account>>
}) {
  // What the person saw: a save compares with it, and a choice after a conflict replaces it.
  const known = useRef(account)
  const theirs = useSignal<Answered<Account> | undefined>(undefined)
  const form = useForm({
    initial: valuesOf(account.data),
    check: ({ name }) => (name.trim() === '' ? { name: 'Enter the name of the account.' } : {}),
    async save(values) {
      try {
        const change = changeOf(values, known.current.data)
        known.current = await changeAccount(account.data.id, change, known.current.etag)
      } catch (error) {
        const isChanged = error instanceof ApiProblem && error.code === 'precondition_failed'
        if (isChanged) theirs.value = await loadAccount(account.data.id)
        throw error
      }
      load.replace(known.current)
      notify('good', 'The account is saved.')
      await reloadSession()
    },
  })
  const current = theirs.value
  return (
    <Section title="Settings">
      <div class="card padded">
        <FormFrame
          form={form}
          submit="Save"
          conflict={
            current && {
              rows: [
                { label: 'Name', theirs: current.data.name, yours: form.values.name },
                {
                  label: 'Short name',
                  theirs: current.data.shortName ?? 'none',
                  yours: form.values.shortName || 'none',
                },
                {
                  label: 'Second factor',
                  theirs: factorWords(current.data.requireSecondFactor),
                  yours: factorWords(form.values.requireSecondFactor),
                },
                {
                  label: 'Joining by domain',
                  theirs: joinWord(valuesOf(current.data).mayJoin),
                  yours: joinWord(form.values.mayJoin),
                },
              ],
              onTakeTheirs() {
                known.current = current
                load.replace(current)
                form.reset(valuesOf(current.data))
              },
              onKeepYours() {
                known.current = current
                form.submit()
              },
            }
          }
        >
          <TextField
            label="Name"
            name="name"
            autocomplete="off"
            value={form.values.name}
            error={form.error('name')}
            onInput={(value) => form.set('name', value)}
          />
          <TextField
            label="Short name"
            hint="Members type it at “Sign in with your practice”, such as lakeside-clinic."
            name="shortName"
            autocomplete="off"
            value={form.values.shortName}
            error={form.error('shortName')}
            onInput={(value) => form.set('shortName', value)}
          />
          <CheckboxChoice
            title="Require a second factor"
            isChecked={form.values.requireSecondFactor}
            onChange={(isRequired) => form.set('requireSecondFactor', isRequired)}
          >
            A member who signs in with a password then needs a code of an authenticator app. Who has
            none sets it up at the next sign-in.
          </CheckboxChoice>
          <CheckboxChoice
            title="Let people of your e-mail domains join"
            isChecked={form.values.mayJoin}
            onChange={(mayJoin) => form.set('mayJoin', mayJoin)}
          >
            Who signs in at a provider of yours, with an address of a verified domain below, joins
            as a provider without an invitation.
          </CheckboxChoice>
        </FormFrame>
      </div>
    </Section>
  )
}

function RemoveAccount({
  account,
  scope,
}: {
  readonly account: Answered<Account>
  readonly scope: Scope
}) {
  const isAsked = useSignal(false)
  const isErased = useSignal(false)
  /** An erasure that failed begins again. */
  const isDeleted = useRef(false)
  const action = useAction()
  const remove = async () => {
    const isDone = await action.run(async () => {
      if (!isDeleted.current) await removeAccount(scope.id, account.etag)
      isDeleted.current = true
      if (isErased.value) await eraseAccount(scope.id)
    })
    if (!isDone) return
    await reloadSession()
    notify('good', `${scope.name} is deleted${isErased.value ? ' and erased' : ''}.`)
    navigate(addressOf(''))
  }
  return (
    <Section title="Delete the account">
      <div class="card padded spread">
        <p class="quiet">
          Its EHR sessions and launches end at once, and its people lose their roles here. Its audit
          trail stays.
        </p>
        <Button
          tone="danger"
          onPress={() => {
            isAsked.value = true
          }}
        >
          Delete
        </Button>
      </div>
      <ConfirmActionDialog
        isOpen={isAsked.value}
        title={`Delete ${scope.name}?`}
        button="Delete the account"
        typedName={account.data.name}
        action={action}
        onConfirm={() => void remove()}
        onClose={() => {
          isAsked.value = false
        }}
      >
        <p>Every provider who works there now loses their apps at once. This cannot be undone.</p>
        {scope.role === 'platform' && (
          <CheckboxChoice
            title="Erase names too"
            isChecked={isErased.value}
            onChange={(isChecked) => {
              isErased.value = isChecked
            }}
          >
            Identifiers take the place of its name, and of the names and addresses of people who
            belong to no other account. The audit trail stays.
          </CheckboxChoice>
        )}
      </ConfirmActionDialog>
    </Section>
  )
}
