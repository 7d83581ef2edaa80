// The name of an account beside a record of the whole platform. The session knows the first hundred accounts;
// another one is loaded when its name is needed.
/** @jsxImportSource preact */
import type { Column } from '@chartside/ui'
import { useEffect } from 'preact/hooks'
import { loadScope, session } from '../session/session.ts'

export function AccountName({ id }: { readonly id: string }) {
  const name = session.value?.scopes.find((scope) => scope.id === id)?.name
  const isKnown = name !== undefined
  useEffect(() => {
    if (!isKnown) loadScope(id).catch(() => {})
  }, [id, isKnown])
  return (
    <span class="clamped" title={name}>
      {name ?? '–'}
    </span>
  )
}

/** A column for lists of the whole platform, where equal names of two accounts stand together. */
export const accountColumn = <Row extends { readonly accountId: string }>(): Column<Row> => ({
  id: 'account',
  label: 'Account',
  render: ({ accountId }) => <AccountName id={accountId} />,
})
