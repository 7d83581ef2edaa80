// The people of one account: members and the invited, their roles, and what an administrator does with
// them. A link that is made for a person is shown once.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { Button, EmptyState, Menu, Pill, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { listMembers, resetMember } from '../../api/members.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useList } from '../../load/use-list.ts'
import { FindField } from '../../parts/find-field.tsx'
import { LinkOnce, type ShownLink } from '../../parts/link-once.tsx'
import { LoadedList } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { session } from '../../session/session.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveMemberDialog, RoleDialog } from './member-dialogs.tsx'
import { roleOf } from './roles.ts'

type PendingAction = { readonly what: 'role' | 'remove'; readonly member: Member }

export default function PeoplePage({ scope }: PageProps) {
  const find = place.value.query.get('find') ?? place.value.query.get('email') ?? ''
  const list = useList(
    (cursor, signal) => listMembers(scope.id, find, cursor, { signal }),
    `${scope.id} ${find}`,
  )
  const isInviting = useSignal(false)
  const invited = useSignal<Member | undefined>(undefined)
  const pending = useSignal<PendingAction | undefined>(undefined)
  const link = useSignal<ShownLink | undefined>(undefined)
  const resetting = useAction()
  const mayChange = isAllowedIn(scope, 'run')
  const invite = (member?: Member) => {
    invited.value = member
    isInviting.value = true
  }
  const reset = (member: Member) =>
    resetting.run(async () => {
      const made = await resetMember(scope.id, member.id)
      link.value = {
        title: `Send this to ${member.name}`,
        text: `It leads ${member.email} to a page that replaces every way to sign in. Until it is used, nothing changes.`,
        ...made,
      }
    })
  const inviteButton = (
    <Button tone="primary" icon="plus" onPress={() => invite()}>
      Invite a person
    </Button>
  )
  return (
    <>
      <PageHead
        title="People"
        about={`Who works in ${scope.name}, and who is invited. A person becomes a member by accepting an invitation.`}
        actions={mayChange && inviteButton}
      />
      {resetting.problem && <FormProblem problem={resetting.problem} />}
      <FindField label="Find a person" />
      <LoadedList
        list={list}
        what="the people"
        empty={
          find === '' ? (
            <EmptyState icon="people" title="No people yet" actions={mayChange && inviteButton}>
              <p class="quiet">
                Invite a provider, who opens apps in the EHR, or a developer, who registers them.
              </p>
            </EmptyState>
          ) : (
            <EmptyState icon="search" title="No person matches">
              Search by part of the name or of the e-mail address.
            </EmptyState>
          )
        }
      >
        {(members) => (
          <RecordTable
            caption="People"
            isCaptionHidden
            rows={members}
            rowId={({ id }) => id}
            columns={[
              { id: 'name', label: 'Name', render: (member) => <Name member={member} /> },
              {
                id: 'role',
                label: 'Role',
                render: ({ role }) => (
                  <span class="whole-words">{roleOf(role)?.label ?? role}</span>
                ),
              },
              { id: 'state', label: 'State', render: ({ state }) => <MemberState state={state} /> },
              {
                id: 'since',
                label: 'Since',
                render: ({ createdAt }) => (
                  <Timestamp at={Date.parse(createdAt)} now={Date.now()} />
                ),
              },
              ...(mayChange
                ? [
                    {
                      id: 'change',
                      label: 'Change',
                      render: (member: Member) => (
                        <Menu
                          label={`Change ${member.name}`}
                          items={actionsOf(member)}
                          onChoose={(id) => {
                            if (id === 'invite') invite(member)
                            else if (id === 'reset') void reset(member)
                            else pending.value = { what: id as PendingAction['what'], member }
                          }}
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </LoadedList>
      <InviteDialog
        isOpen={isInviting.value}
        accountId={scope.id}
        accountName={scope.name}
        known={invited.value}
        onClose={() => {
          isInviting.value = false
        }}
        onInvited={(made) => {
          isInviting.value = false
          link.value = made
          list.reload()
        }}
      />
      <RoleDialog
        accountId={scope.id}
        member={pending.value?.what === 'role' ? pending.value.member : undefined}
        onClose={() => {
          pending.value = undefined
        }}
        onDone={list.reload}
      />
      <RemoveMemberDialog
        scope={scope}
        member={pending.value?.what === 'remove' ? pending.value.member : undefined}
        onClose={() => {
          pending.value = undefined
        }}
        onDone={list.reload}
      />
      <LinkOnce
        link={link.value}
        onClose={() => {
          link.value = undefined
        }}
      />
    </>
  )
}

function Name({ member: { name, email } }: { readonly member: Member }) {
  const isMe = session.value?.user.email === email
  return (
    <span>
      {name}
      {isMe && <span class="quiet"> (you)</span>}
      <small class="below">{email}</small>
    </span>
  )
}

function MemberState({ state }: Pick<Member, 'state'>) {
  return state === 'active' ? (
    <Pill tone="good" icon="check">
      Member
    </Pill>
  ) : (
    <Pill tone="warn" icon="mail">
      Invited
    </Pill>
  )
}

const actionsOf = ({ state }: Member) =>
  state === 'invited'
    ? ([
        { id: 'invite', label: 'Make a new link', icon: 'mail' },
        { id: 'remove', label: 'Withdraw the invitation', icon: 'cross', isDangerous: true },
      ] as const)
    : ([
        { id: 'role', label: 'Change the role', icon: 'person' },
        { id: 'reset', label: 'Reset how they sign in', icon: 'key' },
        {
          id: 'remove',
          label: 'Remove from the account',
          icon: 'cross',
          isDangerous: true,
          isFirstOfGroup: true,
        },
      ] as const)
