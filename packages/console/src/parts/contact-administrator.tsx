// Whom a person asks for what their role does not allow: the administrators of the account, by name and
// address, as every member sees them under People.
/** @jsxImportSource preact */
import { listAdministrators } from '../api/members.ts'
import { useRecord } from '../load/use-record.ts'
import { place } from '../route/location.ts'
import { splitScope } from '../route/match.ts'

const MAX_NAMED = 3

interface Wish {
  /** The action for which the administrator is asked: “to do it”. */
  readonly wish?: string
}

/** Names the administrators of the account in the address. */
export function ContactAdministrator({ wish = 'to do it' }: Wish) {
  const { scope } = splitScope(place.value.path)
  return scope?.startsWith('acc_') ? (
    <AdministratorsOf accountId={scope} wish={wish} />
  ) : (
    <>Ask an administrator of the platform {wish}.</>
  )
}

function AdministratorsOf({ accountId, wish }: Required<Wish> & { readonly accountId: string }) {
  const load = useRecord(
    (signal) => listAdministrators(accountId, { signal, isBackground: true }),
    accountId,
  )
  const all = load.data ?? []
  const named = all.slice(0, MAX_NAMED)
  if (named.length === 0) {
    return <>Ask an administrator of the account {wish}, or to change your role.</>
  }
  return (
    <>
      Ask{' '}
      {named.map(({ id, name, email }, at) => (
        <>
          {at > 0 && (at === named.length - 1 ? ' or ' : ', ')}
          <span key={id}>
            {name} ({email})
          </span>
        </>
      ))}
      {all.length > MAX_NAMED && ', or another administrator,'} {wish}, or to change your role.
    </>
  )
}
