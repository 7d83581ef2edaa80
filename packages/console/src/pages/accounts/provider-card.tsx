// One identity provider of an account: the redirect address to copy, a test that explains what is wrong, a change,
// whether the account requires it, and its deletion.
/** @jsxImportSource preact */
import type { IdentityProvider, IdentityProviderCheck } from '@chartside/protocol/payloads'
import { Button, CopyButton, Pill } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import {
  checkIdentityProvider,
  removeIdentityProvider,
  requireIdentityProvider,
} from '../../api/identity-providers.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { copyText } from '../../parts/copy-text.ts'
import { announce, notify } from '../../shell/announcements.ts'
import { EditProviderDialog } from './edit-provider-dialog.tsx'

export interface ProviderCardProps {
  readonly accountId: string
  readonly provider: IdentityProvider
  readonly onChanged: () => void
}

export function ProviderCard({ accountId, provider, onChanged }: ProviderCardProps) {
  const { id, name, required } = provider
  const action = useAction()
  const checked = useSignal<IdentityProviderCheck | undefined>(undefined)
  const asked = { edit: useOpen(), require: useOpen(), remove: useOpen() }
  const test = () =>
    action.run(async () => {
      checked.value = await checkIdentityProvider(accountId, id)
      announce(checked.value.cause)
    })
  const change = async (work: () => Promise<unknown>, said: string, close: () => void) => {
    const isDone = await action.run(async () => {
      await work()
      notify('good', said)
    })
    if (!isDone) return
    close()
    onChanged()
  }
  const setRequired = () =>
    change(
      () => requireIdentityProvider(accountId, id, !required),
      required ? `${name} is not required any more.` : `${name} is required.`,
      asked.require.close,
    )
  const remove = () =>
    change(() => removeIdentityProvider(accountId, id), `${name} is deleted.`, asked.remove.close)
  return (
    <section class="padded stack" aria-label={name}>
      <ProviderFacts provider={provider} />
      {action.problem && !asked.require.isOpen && !asked.remove.isOpen && (
        <FormProblem problem={action.problem} />
      )}
      {checked.value && <CheckResult check={checked.value} />}
      <div class="row">
        <Button isBusy={action.isBusy} onPress={() => void test()}>
          Test<span class="unseen"> {name}</span>
        </Button>
        <Button onPress={asked.edit.open}>
          Change<span class="unseen"> {name}</span>
        </Button>
        <Button onPress={asked.require.open}>
          {required ? 'Stop requiring it' : 'Require it'}
        </Button>
        <Button tone="danger" onPress={asked.remove.open}>
          Delete<span class="unseen"> {name}</span>
        </Button>
      </div>
      <EditProviderDialog
        accountId={accountId}
        provider={provider}
        isOpen={asked.edit.isOpen}
        onClose={asked.edit.close}
        onChanged={onChanged}
      />
      <ConfirmActionDialog
        isOpen={asked.require.isOpen}
        title={required ? `Stop requiring ${name}?` : `Require ${name}?`}
        button={required ? 'Stop requiring it' : 'Require it'}
        action={action}
        onConfirm={() => void setRequired()}
        onClose={asked.require.close}
      >
        <p>
          {required
            ? 'Members reach this practice again with every way to sign in that they have.'
            : 'Members then reach this practice by a sign-in there only. EHR sessions that came otherwise end at once, yours too.'}
        </p>
      </ConfirmActionDialog>
      <ConfirmActionDialog
        isOpen={asked.remove.isOpen}
        title={`Delete ${name}?`}
        button="Delete it"
        action={action}
        onConfirm={() => void remove()}
        onClose={asked.remove.close}
      >
        <p>
          Its sign-ins and EHR sessions end at once. Members who sign in no other way need a reset
          link afterwards.
        </p>
      </ConfirmActionDialog>
    </section>
  )
}

function ProviderFacts({ provider }: Pick<ProviderCardProps, 'provider'>) {
  const { name, issuer, clientId, redirectUri, revocationUri, hasClientSecret, required } = provider
  return (
    <>
      <div class="spread">
        <h3>{name}</h3>
        {required && (
          <Pill tone="good" icon="check">
            Required
          </Pill>
        )}
      </div>
      <dl class="facts">
        <div>
          <dt>Issuer</dt>
          <dd>
            <code>{issuer}</code>
          </dd>
        </div>
        <div>
          <dt>Client ID</dt>
          <dd>
            <code>{clientId}</code>
            {!hasClientSecret && ' without a secret'}
          </dd>
        </div>
        <div>
          <dt>Redirect address</dt>
          <dd>
            <code>{redirectUri}</code>{' '}
            <CopyButton text={redirectUri} label="Copy the redirect address" copy={copyText} />
          </dd>
        </div>
        <div>
          <dt>Address for Universal Logout</dt>
          <dd>
            <code>{revocationUri}</code>{' '}
            <CopyButton text={revocationUri} label="Copy the logout address" copy={copyText} />
          </dd>
        </div>
      </dl>
      <p class="quiet">
        Register exactly this redirect address at the provider. At the other one a provider such as
        Okta ends the sign-ins of a person who must be out.
      </p>
    </>
  )
}

function CheckResult({ check }: { readonly check: IdentityProviderCheck }) {
  const isReady = check.code === 'ready'
  return (
    <div role="status">
      <p>
        <Pill tone={isReady ? 'good' : 'bad'} icon={isReady ? 'check' : 'cross'}>
          {isReady ? 'Found' : 'Will not work'}
        </Pill>{' '}
        {check.cause}
      </p>
      {check.fix && <p class="quiet">{check.fix}</p>}
    </div>
  )
}
