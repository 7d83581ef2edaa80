// Where the person is signed in: each browser and program with its address, the end of one of them, and
// of all.
/** @jsxImportSource preact */
import type { OpenSignIn } from '@chartside/protocol/payloads'
import { Button, Icon, Pill, Table, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { leaveForSignIn } from '../../api/client.ts'
import { endSignIn, listSignIns } from '../../api/credentials.ts'
import { signOut } from '../../api/people.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useList } from '../../load/use-list.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { notify } from '../../shell/announcements.ts'
import { describeClient } from './describe-client.ts'
import { SettingsHead } from './settings-head.tsx'

export default function SessionsPage() {
  const list = useList((cursor, signal) => listSignIns(cursor, { signal }), 'sign-ins')
  const isAsked = useSignal(false)
  const ending = useAction()
  const everywhere = useAction()
  const now = Date.now()
  const end = async (signIn: OpenSignIn) => {
    const isDone = await ending.run(() => endSignIn(signIn.id))
    if (!isDone) return
    list.reload()
    notify('good', `${describeClient(signIn.userAgent)} is signed out.`)
  }
  return (
    <>
      <SettingsHead current="settings/sessions" />
      <Section
        title="Where you are signed in"
        about="End what you do not know, then change your password. The side panel of a browser is one line here."
        actions={
          <Button
            tone="danger"
            icon="leave"
            onPress={() => {
              isAsked.value = true
            }}
          >
            Sign out everywhere
          </Button>
        }
      >
        {ending.problem && <FormProblem problem={ending.problem} />}
        <Loaded load={list} what="where you are signed in">
          {(signIns) => (
            <div class="card list-card">
              <Table
                caption="Where you are signed in"
                isCaptionHidden
                rows={signIns.toSorted(
                  (one, other) => Number(other.isCurrent) - Number(one.isCurrent),
                )}
                rowId={({ id }) => id}
                columns={[
                  {
                    id: 'client',
                    label: 'With',
                    render: ({ userAgent, address, isCurrent }) => (
                      <span class="with-icon">
                        <Icon name="screen" />
                        <span>
                          {describeClient(userAgent)}
                          <small class="below">{address ?? 'unknown address'}</small>
                        </span>
                        {isCurrent && (
                          <Pill tone="good" icon="check">
                            This browser
                          </Pill>
                        )}
                      </span>
                    ),
                  },
                  {
                    id: 'since',
                    label: 'Signed in',
                    render: ({ createdAt }) => <Timestamp at={Date.parse(createdAt)} now={now} />,
                  },
                  {
                    id: 'seen',
                    label: 'Last active',
                    render: ({ lastSeenAt }) => <Timestamp at={Date.parse(lastSeenAt)} now={now} />,
                  },
                  {
                    id: 'end',
                    label: 'Change',
                    render: (signIn) =>
                      signIn.isCurrent ? (
                        <span class="quiet">In use</span>
                      ) : (
                        <Button isCompact isBusy={ending.isBusy} onPress={() => void end(signIn)}>
                          Sign out
                        </Button>
                      ),
                  },
                ]}
              />
            </div>
          )}
        </Loaded>
      </Section>
      <ConfirmActionDialog
        isOpen={isAsked.value}
        title="Sign out everywhere?"
        button="Sign out everywhere"
        cancel="Stay signed in"
        action={everywhere}
        onConfirm={() =>
          void everywhere.run(async () => {
            await signOut(true)
            leaveForSignIn()
          })
        }
        onClose={() => {
          isAsked.value = false
        }}
      >
        <p>
          Every browser, side panel and program is signed out at once, this one too, and your
          developer keys are deleted. Apps that are open beside a chart end; what is not saved there
          may be lost.
        </p>
      </ConfirmActionDialog>
    </>
  )
}
