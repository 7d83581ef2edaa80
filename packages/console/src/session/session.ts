// Who is signed in and which scopes they have, loaded once before the first page; pages that change
// either call `reloadSession`. The last scope is kept in this browser for addresses without one.
import type { User } from '@chartside/protocol/payloads'
import { signal } from '@preact/signals'
import { api } from '../api/client.ts'
import { listAccounts, loadMe } from '../api/people.ts'
import { ApiProblem, type Problem, problemOf } from '../api/problem.ts'
import { chooseScope, listScopes, PLATFORM, type Scope } from './scopes.ts'

export interface Session {
  readonly user: User
  readonly scopes: readonly Scope[]
}

export const session = signal<Session | undefined>(undefined)
export const sessionProblem = signal<Problem | undefined>(undefined)

const LAST_SCOPE = 'chartside.scope'

export async function reloadSession(): Promise<void> {
  try {
    const { data: user } = await loadMe()
    const accounts = user.role !== 'member' ? (await listAccounts()).items : []
    session.value = { user, scopes: listScopes(user, accounts) }
    sessionProblem.value = undefined
  } catch (error) {
    sessionProblem.value = problemOf(error)
  }
}

/** A person without any account: only the personal pages are theirs. */
export const NO_ACCOUNT: Scope = { id: '', name: 'No account', kind: 'account', role: 'provider' }

/** Returns the scope; undefined when the address names one that the person does not see. */
export function scopeOf({ scopes }: Session, named: string | undefined): Scope | undefined {
  if (scopes.length === 0 && named === undefined) return NO_ACCOUNT
  return chooseScope(scopes, named, localStorage.getItem(LAST_SCOPE))
}

export function rememberScope({ id }: Scope): void {
  if (id !== '') localStorage.setItem(LAST_SCOPE, id)
}

/** A platform administrator has more accounts than the first page of the list. */
export async function loadScope(id: string): Promise<void> {
  const { value } = session
  if (value?.user.role !== 'admin' || id === PLATFORM.id) return
  try {
    const account = await api.get<{ id: string; name: string }>(
      `/api/accounts/${encodeURIComponent(id)}`,
    )
    // Another account may have come meanwhile.
    const { scopes } = session.value ?? value
    const known = scopes.filter((scope) => scope.kind === 'account' && scope.id !== id)
    session.value = { ...value, scopes: listScopes(value.user, [...known, account]) }
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
  }
}
