// What a person is: a member of an account or invited to it, and a role or the end of all access on the platform. Lists
// and pages of people show it.
/** @jsxImportSource preact */
import type { Member, PlatformUser } from '@chartside/protocol/payloads'
import { Pill, Timestamp } from '@chartside/ui'

export function MemberState({ state, expiresAt }: Pick<Member, 'state' | 'expiresAt'>) {
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

/** The id stands in the place of the address. */
export const isErased = ({ id, email }: Pick<PlatformUser, 'id' | 'email'>): boolean => email === id

export function PlatformRole({ user }: { readonly user: PlatformUser }) {
  const { role, disabled, removed, isEmergency } = user
  if (disabled) {
    return (
      <Pill tone="bad" icon="power">
        {isErased(user) ? 'Erased' : removed ? 'Removed' : 'Disabled'}
      </Pill>
    )
  }
  if (isEmergency) {
    return (
      <Pill tone="warn" icon="alert">
        Emergency account
      </Pill>
    )
  }
  if (role === 'member') return <span class="quiet">No role</span>
  return (
    <Pill tone="accent" icon="shield">
      {role === 'admin' ? 'Administrator' : 'Viewer'}
    </Pill>
  )
}
