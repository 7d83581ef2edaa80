// What an account without records of its own runs of others: a link for those who see it, and whom the others
// ask. A list that the role of its reader leaves empty says so.
/** @jsxImportSource preact */
import { scopedAddress } from '../route/addresses.ts'
import { isAllowedIn, type Scope } from '../session/scopes.ts'
import { ContactAdministrator } from './contact-administrator.tsx'

export interface RunningHintProps {
  readonly scope: Scope
  /** The things, such as “apps”. */
  readonly what: string
}

export function RunningHint({ scope, what }: RunningHintProps) {
  return (
    <p class="quiet">
      {scope.name} runs {what} of another account.{' '}
      {isAllowedIn(scope, 'run') ? (
        <>
          <a href={scopedAddress(scope, 'running')}>What runs here</a> shows which, and stops them.
        </>
      ) : (
        <>
          Which, only its administrators see. <ContactAdministrator wish="for it" />
        </>
      )}
    </p>
  )
}
