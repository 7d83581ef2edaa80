// How far the newest version of a collection is given out, in a sentence. Pure: the counts of the
// service in, words out.
import type { Rollout } from '@chartside/protocol/payloads'

const practices = (count: number) => (count === 1 ? '1 practice' : `${count} practices`)

export function describeRollout({ following, givenTo }: Rollout): string {
  if (following === 0) return 'No practice follows the latest version.'
  if (givenTo === following) return `Given to all ${practices(following)} that follow the latest.`
  if (givenTo === 0) return `Given to none of ${practices(following)} that follow the latest.`
  return `Given to ${givenTo} of ${practices(following)} that follow the latest.`
}
