// One person of an account: who they are there, what an administrator does with them, and for those who administer
// their last sign-ins and launches there. Of other accounts it says nothing.
/** @jsxImportSource preact */
import type { Member } from '@chartside/protocol/payloads'
import { Menu } from '@chartside/ui'
import { loadMember } from '../../api/members.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, isSeenIn, type Scope } from '../../session/scopes.ts'
import { memberActions, useMemberActions } from './member-actions.tsx'
import { PersonFacts, RecentLaunches, SawLink, SignIns } from './person-sections.tsx'
import { MemberState } from './person-state.tsx'
import { roleOf } from './roles.ts'

export default function PersonPage({ params, scope }: PageProps) {
  const id = params.id ?? ''
  const load = useRecord(
    (signal) => loadMember(scope.id, id, { signal }),
    JSON.stringify([scope.id, id]),
  )
  return (
    <Loaded load={load} what="the person">
      {(member) => <OnePerson member={member} scope={scope} onChanged={load.reload} />}
    </Loaded>
  )
}

interface OnePersonProps {
  readonly member: Member
  readonly scope: Scope
  readonly onChanged: () => void
}

function OnePerson({ member, scope, onChanged }: OnePersonProps) {
  const { id, name, email, role, state, createdAt } = member
  const people = scopedAddress(scope, 'people')
  const actions = useMemberActions(scope, {
    onDone: onChanged,
    onRemoved: () => navigate(people),
  })
  const sees = isSeenIn(scope, 'run') && state === 'active'
  return (
    <>
      <PageHead
        title={name}
        crumbs={[{ label: 'People', address: people }]}
        actions={
          <>
            {sees && <SawLink id={id} name={name} trail={scope} />}
            {isAllowedIn(scope, 'run') && (
              <Menu
                label={`Change ${name}`}
                items={memberActions(member)}
                onChoose={(chosen) => actions.choose(chosen, member)}
              />
            )}
          </>
        }
      />
      {actions.problem && <FormProblem problem={actions.problem} />}
      <PersonFacts email={email} createdAt={createdAt}>
        <div>
          <dt>Role in {scope.name}</dt>
          <dd>{roleOf(role)?.label ?? role}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>
            <MemberState {...member} />
          </dd>
        </div>
      </PersonFacts>
      {sees && <RecentLaunches scope={scope} id={id} name={name} />}
      {sees && <SignIns scope={scope} id={id} name={name} trail={scope} />}
      {actions.dialogs}
    </>
  )
}
