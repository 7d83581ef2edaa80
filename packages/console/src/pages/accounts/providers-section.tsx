// The identity providers of an account, for those who run it: each with its card, and the dialog that registers
// another one.
/** @jsxImportSource preact */
import type { Account } from '@chartside/protocol/payloads'
import { Button, EmptyState } from '@chartside/ui'
import { createIdentityProvider, listIdentityProviders } from '../../api/identity-providers.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { notify } from '../../shell/announcements.ts'
import { ProviderCard } from './provider-card.tsx'
import { ProviderFields } from './provider-fields.tsx'

export function ProvidersSection({ account }: { readonly account: Account }) {
  const { id, shortName } = account
  const list = useList((_cursor, signal) => listIdentityProviders(id, { signal }), id)
  const adding = useOpen()
  return (
    <Section
      title="Sign-in at your practice"
      about={
        shortName === undefined
          ? 'Members sign in at a provider of yours, such as Entra ID or Okta. Give the account a short name above: they type it at the sign-in page.'
          : `Members choose “Sign in with your practice” and type ${shortName}. Such a sign-in reaches this practice only.`
      }
      actions={
        <Button icon="plus" onPress={adding.open}>
          Add a provider
        </Button>
      }
    >
      <LoadedList
        list={list}
        what="the providers"
        empty={
          <EmptyState icon="key" title="No provider yet">
            <p class="quiet">
              Members sign in with a password, a passkey, or as the platform has it.
            </p>
          </EmptyState>
        }
      >
        {(providers) => (
          <>
            {providers.map((provider) => (
              <ProviderCard
                key={provider.id}
                accountId={id}
                provider={provider}
                onChanged={list.reload}
              />
            ))}
          </>
        )}
      </LoadedList>
      <AddDialog
        accountId={id}
        isOpen={adding.isOpen}
        onClose={adding.close}
        onAdded={list.reload}
      />
    </Section>
  )
}

interface AddDialogProps {
  readonly accountId: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onAdded: () => void
}

const EMPTY = { name: '', issuer: '', clientId: '', clientSecret: '' }

const FIELDS = [
  { name: 'name', label: 'Name', hint: 'Members see it on a button, such as “Lakeside Entra ID”.' },
  {
    name: 'issuer',
    label: 'Issuer',
    hint: 'As the provider names it, such as https://login.microsoftonline.com/<tenant id>/v2.0',
    type: 'url',
  },
  { name: 'clientId', label: 'Client ID', hint: undefined },
  {
    name: 'clientSecret',
    label: 'Client secret',
    hint: 'Kept sealed and never shown again.',
    type: 'password',
  },
] as const

function AddDialog({ accountId, isOpen, onClose, onAdded }: AddDialogProps) {
  const form = useForm({
    initial: EMPTY,
    async save({ clientSecret, ...values }) {
      await createIdentityProvider(accountId, {
        ...values,
        ...(clientSecret === '' ? {} : { clientSecret }),
      })
      notify('good', 'Added. Now register its redirect address at the provider.')
      form.reset(EMPTY)
      onClose()
      onAdded()
    },
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title="Add a provider"
      form={form}
      submit="Add"
      onClose={() => {
        form.reset(EMPTY)
        onClose()
      }}
    >
      <ProviderFields form={form} fields={FIELDS} />
    </FormDialog>
  )
}
