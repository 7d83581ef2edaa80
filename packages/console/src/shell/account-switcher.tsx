// Chooses the scope: the whole platform or one account. The open page stays the same where it exists
// there. A list with a filter, since a platform has hundreds of accounts.
/** @jsxImportSource preact */
import { AppIcon, Icon, Menu } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { findScopedPage, scopedAddress } from '../route/addresses.ts'
import { navigate, place } from '../route/location.ts'
import { splitScope } from '../route/match.ts'
import { ROLE_NAMES, type Scope } from '../session/scopes.ts'
import { session } from '../session/session.ts'
import { AccountDialog } from './account-dialog.tsx'

/** The most accounts in the menu; more are searched instead of listed. */
const MAX_IN_MENU = 20

/** The same page there; of a page about one record, the list that it stands in. */
function addressIn(scope: Scope): string {
  const { scope: named, rest } = splitScope(place.value.path)
  const [list = ''] = rest.split('/')
  return scopedAddress(scope, named !== undefined && findScopedPage(scope, list) ? list : '')
}

export const describeScope = ({ kind, role }: Scope): string =>
  kind === 'platform' ? 'Every account' : role === 'platform' ? 'Account' : ROLE_NAMES[role]

export function AccountSwitcher({ scope }: { readonly scope: Scope }) {
  const scopes = session.value?.scopes ?? []
  const name = (
    <>
      <ScopeIcon scope={scope} />
      <span class="scope-name">
        <span class="clamped" title={scope.name}>
          {scope.name}
        </span>
        <small>{scope.id === '' ? 'No account has invited you yet' : describeScope(scope)}</small>
      </span>
    </>
  )
  const isOpen = useSignal(false)
  if (scopes.length < 2) return <p class="switcher">{name}</p>
  if (scopes.length > MAX_IN_MENU) {
    return (
      <>
        <div class="switcher many">
          <button
            type="button"
            class="button compact bare"
            aria-haspopup="dialog"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {name}
            <Icon name="chevron" />
            <span class="unseen">Choose an account</span>
          </button>
        </div>
        <AccountDialog
          isOpen={isOpen.value}
          onClose={() => {
            isOpen.value = false
          }}
          addressIn={addressIn}
          describe={describeScope}
        />
      </>
    )
  }
  return (
    <div class="switcher many">
      <Menu
        label="Choose an account"
        side="start"
        text={
          <>
            {name}
            <Icon name="chevron" />
          </>
        }
        items={scopes.map((one) => ({
          id: one.id,
          label: one.name,
          detail: describeScope(one),
          picture: <ScopeIcon scope={one} />,
          isFirstOfGroup: one === scopes[1] && scopes[0]?.kind === 'platform',
        }))}
        onChoose={(id) => {
          const chosen = scopes.find((one) => one.id === id)
          if (chosen) navigate(addressIn(chosen))
        }}
      />
    </div>
  )
}

function ScopeIcon({ scope }: { readonly scope: Scope }) {
  if (scope.kind === 'platform' || scope.id === '') {
    return (
      <span class="app-icon scope-platform">
        <Icon name={scope.id === '' ? 'person' : 'shield'} />
      </span>
    )
  }
  return <AppIcon id={scope.id} name={scope.name} />
}
