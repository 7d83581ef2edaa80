// The people whose name or e-mail address has a text, searched by the service: of the whole platform, or of one
// account. Pickers and the palette ask here.
import type { Scope } from '../session/scopes.ts'
import { listMembers } from './members.ts'
import { listUsers } from './users.ts'

export interface FoundPerson {
  readonly id: string
  readonly name: string
  readonly email: string
}

export async function findPeople(
  scope: Scope,
  text: string,
  signal?: AbortSignal,
): Promise<readonly FoundPerson[]> {
  const { items } =
    scope.kind === 'platform'
      ? await listUsers({ q: text }, undefined, { signal })
      : await listMembers(scope.id, text, undefined, { signal })
  return items
}
