// The name behind an id that the session knows without asking: the signed-in person, and their accounts. A
// list of ids asks for no other, since each question would stand in the audit trail itself.
import { session } from './session.ts'

export function knownName(id: string): string | undefined {
  const { value } = session
  if (value?.user.id === id) return value.user.name
  return value?.scopes.find((scope) => scope.id === id)?.name
}
