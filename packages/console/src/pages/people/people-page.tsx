// The people of one account: members and the invited, their roles, and what an administrator does with
// them. A link that is made for a person is shown once.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { Button, type Column, Pill, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { exportMembersAddress, listMembers, resetMember } from '../../api/members.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { menuColumn, timeColumn } from '../../parts/columns.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { LinkOnce } from '../../parts/link-once.tsx'
import { RecordListPage } from '../../parts/record-list-page.tsx'
import { place } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'
import { session } from '../../session/session.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { ManyMembers } from './many-members.tsx'
import { RemoveMemberDialog, RoleDialog } from './member-dialogs.tsx'
import { PersonName } from './person-name.tsx'
import { roleOf } from './roles.ts'
import { usePersonLink } from './use-person-link.ts'

type PendingAction = { readonly what: 'role' | 'remove'; readonly member: Member }

export default function PeoplePage({ scope }: PageProps) {
  const find = place.value.query.get('find') ?? place.value.query.get('email') ?? ''
  const list = useList(
    (cursor, signal) => listMembers(scope.id, find, cursor, { signal }),
    `${scope.id} ${find}`,
  )
  const invitation = useOpen()
  const invited = useSignal<Member | undefined>(undefined)
  const pending = useSignal<PendingAction | undefined>(undefined)
  const personLink = usePersonLink()
  const chosen = useSignal<readonly string[]>([])
  const choosing = (id: string, isChosen: boolean) => {
    const others = chosen.value.filter((one) => one !== id)
    chosen.value = isChosen && others.length < MAX_CHOSEN ? [...others, id] : others
  }
  const clear = () => {
    chosen.value = []
  }
  const mayChange = isAllowedIn(scope, 'run')
  const invite = (member?: Member) => {
    invited.value = member
    invitation.open()
  }
  const choose = (id: string, member: Member) => {
    if (id === 'invite') invite(member)
    else if (id === 'reset') {
      void personLink.reset(member, () => resetMember(scope.id, member.id))
    } else pending.value = { what: id as PendingAction['what'], member }
  }
  const memberOf = (what: PendingAction['what']) => ({
    member: pending.value?.what === what ? pending.value.member : undefined,
    onClose() {
      pending.value = undefined
    },
    onDone: list.reload,
  })
  return (
    <RecordListPage
      title="People"
      about={`Who works in ${scope.name}, and who is invited. A person becomes a member by accepting an invitation.`}
      actions={
        mayChange && (
          <>
            <a class="button" href={exportMembersAddress(scope.id)} download>
              Export as CSV
            </a>
            <Button tone="primary" icon="plus" onPress={() => invite()}>
              Invite a person
            </Button>
          </>
        )
      }
      finders={
        <>
          <FindField label="Find a person" />
          <ManyMembers
            scope={scope}
            members={(list.data ?? []).filter(({ id }) => chosen.value.includes(id))}
            onClear={clear}
            onDone={() => {
              clear()
              list.reload()
            }}
          />
        </>
      }
      problem={personLink.problem}
      what="the people"
      list={list}
      columns={() => [
        nameColumn(mayChange ? { chosen: chosen.value, choosing } : undefined),
        ...COLUMNS,
        ...(mayChange ? [menuColumn(({ name }) => name, actionsOf, choose)] : []),
      ]}
      empty={{
        icon: 'people',
        title: 'No people yet',
        text: (
          <p class="quiet">
            Invite a provider, who opens apps in the EHR, or a developer, who registers them.
          </p>
        ),
      }}
      noMatch={find === '' ? undefined : NO_MATCH}
    >
      <InviteDialog
        isOpen={invitation.isOpen}
        accountId={scope.id}
        accountName={scope.name}
        known={invited.value}
        onClose={invitation.close}
        onInvited={(link) => {
          invitation.close()
          personLink.show(link)
          list.reload()
        }}
      />
      <RoleDialog accountId={scope.id} {...memberOf('role')} />
      <RemoveMemberDialog scope={scope} {...memberOf('remove')} />
      <LinkOnce link={personLink.link} onClose={personLink.close} />
    </RecordListPage>
  )
}

const NO_MATCH = {
  icon: 'search',
  title: 'No person matches',
  text: 'Search by part of the name or of the e-mail address.',
} as const

/** One act names at most so many. */
const MAX_CHOSEN = 100

interface Choosing {
  readonly chosen: readonly string[]
  readonly choosing: (id: string, isChosen: boolean) => void
}

const nameColumn = (choice: Choosing | undefined): Column<Member> => ({
  id: 'name',
  label: 'Name',
  render: ({ id, name, email }) => (
    <span class="with-icon">
      {choice && (
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={choice.chosen.includes(id)}
          onChange={({ currentTarget }) => choice.choosing(id, currentTarget.checked)}
        />
      )}
      <PersonName name={name} email={email} isMe={session.value?.user.email === email} />
    </span>
  ),
})

const COLUMNS: readonly Column<Member>[] = [
  {
    id: 'role',
    label: 'Role',
    render: ({ role }) => <span class="whole-words">{roleOf(role)?.label ?? role}</span>,
  },
  { id: 'state', label: 'State', render: (member) => <MemberState {...member} /> },
  timeColumn('since', 'Since', ({ createdAt }) => createdAt),
]

function MemberState({ state, expiresAt }: Pick<Member, 'state' | 'expiresAt'>) {
  return (
    <span>
      {state === 'active' ? (
        <Pill tone="good" icon="check">
          Member
        </Pill>
      ) : (
        <Pill tone="warn" icon="mail">
          Invited
        </Pill>
      )}
      {expiresAt !== null && (
        <small class="below">
          Ends <Timestamp at={Date.parse(expiresAt)} now={Date.now()} />
        </small>
      )}
    </span>
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
