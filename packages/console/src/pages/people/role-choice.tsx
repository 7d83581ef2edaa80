// Chooses a role in an account: each with what it may do, as radio buttons of the browser. It saves
// nothing; the dialog around it does.
/** @jsxImportSource preact */
import type { MemberRole } from '../../api/members.ts'
import { ROLES } from './roles.ts'

export function RoleChoice({
  value,
  onChange,
}: {
  readonly value: MemberRole
  readonly onChange: (role: MemberRole) => void
}) {
  return (
    <fieldset class="choices">
      <legend>Role</legend>
      {ROLES.map((role) => (
        <label key={role.value} class="choice">
          <input
            type="radio"
            name="role"
            value={role.value}
            checked={role.value === value}
            onChange={() => onChange(role.value)}
          />
          <span>
            <strong>{role.label}</strong>
            <small class="below">{role.text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
