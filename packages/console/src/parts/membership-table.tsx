// The accounts of a person with the role in each, as a table: in the person's own settings and on the page of a
// person.
/** @jsxImportSource preact */
import type { User } from '@chartside/protocol/payloads'
import { Table } from '@chartside/ui'
import { ROLE_NAMES } from '../session/scopes.ts'

type Membership = User['memberships'][number]

export interface MembershipTableProps {
  readonly caption: string
  readonly memberships: readonly Membership[]
  readonly addressOf: (account: Membership['account']) => string
}

export const MembershipTable = ({ caption, memberships, addressOf }: MembershipTableProps) => (
  <Table
    caption={caption}
    isCaptionHidden
    rows={memberships}
    rowId={({ account }) => account.id}
    columns={[
      {
        id: 'account',
        label: 'Account',
        render: ({ account }) => <a href={addressOf(account)}>{account.name}</a>,
      },
      { id: 'role', label: 'Role', render: ({ role }) => ROLE_NAMES[role] },
    ]}
  />
)
