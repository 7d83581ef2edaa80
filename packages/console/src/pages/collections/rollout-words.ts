// How far the newest version of a collection is given out, and whether it goes on by itself, in sentences. Pure: the
// counts of the service in, words out.
import type { CollectionVersion, Rollout } from '@chartside/protocol/payloads'

const practices = (count: number) => (count === 1 ? '1 practice' : `${count} practices`)

export function describeRollout({ following, givenTo }: Rollout): string {
  if (following === 0) return 'No practice follows the latest version.'
  if (givenTo === following) return `Given to all ${practices(following)} that follow the latest.`
  if (givenTo === 0) return `Given to none of ${practices(following)} that follow the latest.`
  return `Given to ${givenTo} of ${practices(following)} that follow the latest.`
}

export type Widening = NonNullable<CollectionVersion['widening']>

/** `formatTime` shows a time in the zone of the reader. */
export function describeWidening(
  { at, readyPercent, stopped }: Widening,
  formatTime: (at: string) => string,
): { readonly title: string; readonly text: string } {
  if (!stopped) {
    return {
      title: `Goes to all practices: ${formatTime(at)}`,
      text: `If at least ${readyPercent} % of its launches open well until then. Otherwise it stops where it is, and the audit trail says so.`,
    }
  }
  const decided = stopped.ready + stopped.failed
  const isTooFew = decided === 0 || stopped.ready * 100 >= readyPercent * decided
  return {
    title: `The rollout has stopped: ${formatTime(stopped.at)}`,
    text: isTooFew
      ? `In a week it had only ${decided === 1 ? '1 launch' : `${decided} launches`}. Give it to all, or take it back.`
      : `${stopped.ready} of ${decided} launches opened well, and ${readyPercent} % were asked for. Take it back, or give it to all when the cause is mended.`,
  }
}

/** Says how many EHR sessions still show a version that was taken back. */
export const describeOpen = (count: number, version: number): string =>
  `${count === 1 ? '1 open EHR session still shows' : `${count} open EHR sessions still show`} version ${version}`
