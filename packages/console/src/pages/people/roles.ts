// The roles in an account, and what each may do, as a person chooses one. Plain data; what a role
// allows is decided by the service.
import type { MemberRole } from '../../api/members.ts'

export interface RoleChoice {
  readonly value: MemberRole
  readonly label: string
  readonly text: string
}

export const ROLES: readonly RoleChoice[] = [
  {
    value: 'provider',
    label: 'Provider',
    text: 'Works in the EHR and opens apps there. Sees the own launches, changes nothing.',
  },
  {
    value: 'developer',
    label: 'Developer',
    text: 'Registers and repairs the apps of the account: addresses, secrets, failed launches.',
  },
  {
    value: 'viewer',
    label: 'Viewer',
    text: 'Sees what an administrator sees, changes nothing and opens no app. For auditors and support.',
  },
  {
    value: 'admin',
    label: 'Administrator',
    text: 'Runs the account: its people, its apps, what runs where, and its audit trail.',
  },
]

export const roleOf = (role: MemberRole): RoleChoice | undefined =>
  ROLES.find(({ value }) => value === role)
