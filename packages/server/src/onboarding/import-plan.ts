// Decides what the import of one practice does, from what is stored. Pure. An import adds and corrects; it
// never removes anything, and it changes no role.
import type { Account } from '../accounts/account.ts'
import type { PayloadOf } from '../http/call.ts'
import type { PRACTICE } from './import-schema.ts'

export type Practice = PayloadOf<typeof PRACTICE>
export type PracticePerson = NonNullable<Practice['people']>[number]

/** The stored facts about an e-mail address and the account. */
export interface Standing {
  readonly role: string | undefined
  readonly state: 'member' | 'invited' | 'none'
  /** An open invitation has neither been used nor has it expired. */
  readonly hasOpenInvitation: boolean
  /** The platform has disabled the user, and not removed them. */
  readonly isDisabled: boolean
}

export type AccountPlan =
  | { readonly outcome: 'created' | 'changed' | 'unchanged'; readonly fields: AccountFields }
  | { readonly outcome: 'refused'; readonly problem: string }

type AccountFields = Pick<Account, 'collection' | 'name'>

/** Plans the account. `isPublished`: the collection version that the practice names exists. */
export function planAccount(
  { name, collection }: Practice,
  stored: Account | undefined,
  isPublished: boolean,
): AccountPlan {
  if (!isPublished) {
    const chosen = `${collection?.id} version ${collection?.version}`
    const problem = `There is no published ${chosen}. Publish the collection first, then import again.`
    return { outcome: 'refused', problem }
  }
  const fields = { name, collection: collection ?? stored?.collection }
  if (!stored) return { outcome: 'created', fields }
  const isSame =
    stored.name === name &&
    stored.collection?.id === fields.collection?.id &&
    stored.collection?.version === fields.collection?.version
  return { outcome: isSame ? 'unchanged' : 'changed', fields }
}

export type PersonPlan =
  | { readonly outcome: 'invited' | 'waiting' }
  | { readonly outcome: 'member'; readonly problem?: string }
  | { readonly outcome: 'refused'; readonly problem: string }

export function planPerson(
  { role }: PracticePerson,
  standing: Standing,
  isResent: boolean,
): PersonPlan {
  if (standing.isDisabled) {
    const problem =
      'The platform has disabled this user. Enable them first (chartside users enable).'
    return { outcome: 'refused', problem }
  }
  if (standing.state === 'member') {
    if (standing.role === role) return { outcome: 'member' }
    const problem = `This person is ${standing.role} and stays so; change the role among the members.`
    return { outcome: 'member', problem }
  }
  const isWaiting = standing.state === 'invited' && standing.hasOpenInvitation
  return { outcome: isWaiting && !isResent ? 'waiting' : 'invited' }
}
