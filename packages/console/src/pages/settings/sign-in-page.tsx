// How the person signs in: the list of login methods, adding and removing one. Adding happens on a page
// of the service, because a passkey and a password belong there. The second factor is below.
/** @jsxImportSource preact */
import type { LoginMethod } from '@chartside/protocol/payloads'
import { Button, Icon, type IconName, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { beginLoginMethod, listLoginMethods, removeLoginMethod } from '../../api/credentials.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useList } from '../../load/use-list.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { notify } from '../../shell/announcements.ts'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SettingsHead } from './settings-head.tsx'

export default function SignInPage() {
  return (
    <>
      <SettingsHead current="settings/sign-in" />
      <LoginMethods />
      <SecondFactorSection />
    </>
  )
}

const KINDS: Readonly<Record<LoginMethod['kind'], { icon: IconName; name: string }>> = {
  password: { icon: 'key', name: 'Password' },
  passkey: { icon: 'shield', name: 'Passkey' },
  oidc: { icon: 'building', name: 'Account at a provider' },
}

function LoginMethods() {
  const list = useList((cursor, signal) => listLoginMethods(cursor, { signal }), 'login-methods')
  const adding = useAction()
  const removing = useAction()
  const chosen = useSignal<LoginMethod | undefined>(undefined)
  const now = Date.now()
  const remove = async ({ id, label }: LoginMethod) => {
    const isDone = await removing.run(() => removeLoginMethod(id))
    if (!isDone) return
    chosen.value = undefined
    list.reload()
    notify(
      'good',
      `${label} no longer signs you in. Other places where you were signed in are ended.`,
    )
  }
  return (
    <Section
      title="Ways to sign in"
      about="A passkey is the safest: it cannot be guessed, and no other site can ask for it."
      actions={
        <Button
          icon="plus"
          isBusy={adding.isBusy}
          onPress={() =>
            void adding.run(async () => location.assign((await beginLoginMethod()).url))
          }
        >
          Add a way to sign in
        </Button>
      }
    >
      {adding.problem && <FormProblem problem={adding.problem} />}
      <Loaded load={list} what="your ways to sign in">
        {(methods) => (
          <div class="card list-card">
            <Table
              caption="Ways to sign in"
              isCaptionHidden
              rows={methods}
              rowId={({ id }) => id}
              columns={[
                {
                  id: 'kind',
                  label: 'Way',
                  render: ({ kind, label }) => (
                    <span class="with-icon">
                      <Icon name={KINDS[kind].icon} />
                      <span>
                        {KINDS[kind].name}
                        {label !== KINDS[kind].name && <small class="below">{label}</small>}
                      </span>
                    </span>
                  ),
                },
                {
                  id: 'created',
                  label: 'Added',
                  render: ({ createdAt }) => <Timestamp at={Date.parse(createdAt)} now={now} />,
                },
                {
                  id: 'used',
                  label: 'Last used',
                  render: ({ lastUsedAt }) =>
                    lastUsedAt === null ? (
                      <span class="quiet">Not yet</span>
                    ) : (
                      <Timestamp at={Date.parse(lastUsedAt)} now={now} />
                    ),
                },
                {
                  id: 'remove',
                  label: 'Change',
                  render: (method) =>
                    methods.length > 1 ? (
                      <Button
                        isCompact
                        tone="danger"
                        onPress={() => {
                          chosen.value = method
                        }}
                      >
                        Remove
                      </Button>
                    ) : (
                      <span class="quiet">Your only way</span>
                    ),
                },
              ]}
            />
          </div>
        )}
      </Loaded>
      <ConfirmActionDialog
        isOpen={chosen.value !== undefined}
        title={`Remove ${chosen.value?.label ?? ''}?`}
        button="Remove it"
        action={removing}
        onConfirm={() => chosen.value && void remove(chosen.value)}
        onClose={() => {
          chosen.value = undefined
        }}
      >
        <p>
          You can no longer sign in this way. Every other place where you are signed in is ended at
          once, and your developer keys are deleted.
        </p>
      </ConfirmActionDialog>
    </Section>
  )
}
