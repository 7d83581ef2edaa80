// One person of the platform, for its administrators: role and state, the practices with a role in each, what can be
// done with them, their last sign-ins and launches everywhere.
/** @jsxImportSource preact */
import type { PlatformUser } from '@chartside/protocol/payloads'
import { Timestamp } from '@chartside/ui'
import { loadUser } from '../../api/users.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MembershipTable } from '../../parts/membership-table.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { personAddress } from '../../parts/person-link.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { PersonFacts, RecentLaunches, SawLink, SignIns } from './person-sections.tsx'
import { PlatformRole } from './person-state.tsx'
import { UserMenu, useUserActions } from './user-actions.tsx'

export default function UserPage({ params, scope }: PageProps) {
  const id = params.id ?? ''
  const load = useRecord((signal) => loadUser(id, { signal }), id)
  return (
    <Loaded load={load} what="the person">
      {(user) => <OneUser user={user} scope={scope} onChanged={load.reload} />}
    </Loaded>
  )
}

interface OneUserProps {
  readonly user: PlatformUser
  readonly scope: Scope
  readonly onChanged: () => void
}

function OneUser({ user, scope, onChanged }: OneUserProps) {
  const { id, name, email, createdAt, lastSignInAt, memberships } = user
  const actions = useUserActions(onChanged)
  const [first] = memberships
  // A sign-in is in the trail of each account of the person, and without one in that of the platform.
  const trail: Scope = first ? { ...scope, ...first.account, kind: 'account' } : scope
  return (
    <>
      <PageHead
        title={name}
        crumbs={[{ label: 'People', address: scopedAddress(scope, 'people') }]}
        actions={
          <>
            <SawLink id={id} name={name} trail={trail} />
            {isAllowedIn(scope, 'platform') && <UserMenu user={user} actions={actions} />}
          </>
        }
      />
      {actions.problem && <FormProblem problem={actions.problem} />}
      <PersonFacts email={email} createdAt={createdAt}>
        <div>
          <dt>On the platform</dt>
          <dd>
            <PlatformRole user={user} />
          </dd>
        </div>
        <div>
          <dt>Last sign-in</dt>
          <dd>
            {lastSignInAt === null ? (
              'Never'
            ) : (
              <Timestamp at={Date.parse(lastSignInAt)} now={Date.now()} />
            )}
          </dd>
        </div>
      </PersonFacts>
      <Memberships user={user} scope={scope} />
      <RecentLaunches scope={scope} id={id} name={name} />
      <SignIns scope={scope} id={id} name={name} trail={trail} />
      {actions.dialogs}
    </>
  )
}

const Memberships = ({ user, scope }: Pick<OneUserProps, 'user' | 'scope'>) => (
  <Section title="Practices and vendors" about="Roles in an account are changed there.">
    <div class="card list-card">
      {user.memberships.length === 0 ? (
        <p class="padded quiet">{user.name} belongs to no account.</p>
      ) : (
        <MembershipTable
          caption="Practices and vendors"
          memberships={user.memberships}
          addressOf={(account) => personAddress({ ...scope, id: account.id }, user.id)}
        />
      )}
    </div>
  </Section>
)
