// Chooses a role in an account: each with what it may do. It saves nothing; the dialog around it does.
// The roles and their words are roles.ts.
/** @jsxImportSource preact */
import type { MemberRole } from '../../api/members.ts'
import { RadioChoice } from '../../forms/radio-choice.tsx'
import { ROLES } from './roles.ts'

export const RoleChoice = (props: {
  readonly value: MemberRole
  readonly onChange: (role: MemberRole) => void
}) => <RadioChoice label="Role" name="role" options={ROLES} {...props} />
