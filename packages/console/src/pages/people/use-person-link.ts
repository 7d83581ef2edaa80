// The one-time link that a list of people shows: of an invitation, or of a reset, which it asks the service
// for. The link is in this state only, until its dialog closes.
import { useSignal } from '@preact/signals'
import type { MailedLink, OneTimeLink } from '../../api/credentials.ts'
import type { Problem } from '../../api/problem.ts'
import { useAction } from '../../forms/use-action.ts'
import type { ShownLink } from '../../parts/link-once.tsx'
import { notify } from '../../shell/announcements.ts'

interface Person {
  readonly name: string
  readonly email: string
}

export interface PersonLink {
  readonly link: ShownLink | undefined
  /** The refusal of the last reset. */
  readonly problem: Problem | undefined
  show(link: ShownLink): void
  close(): void
  reset(person: Person, request: () => Promise<OneTimeLink | MailedLink>): Promise<boolean>
}

export function usePersonLink(): PersonLink {
  const link = useSignal<ShownLink | undefined>(undefined)
  const resetting = useAction()
  return {
    link: link.value,
    problem: resetting.problem,
    show(shown) {
      link.value = shown
    },
    close() {
      link.value = undefined
    },
    reset: ({ name, email }, request) =>
      resetting.run(async () => {
        const made = await request()
        if ('sentTo' in made) {
          notify(
            'good',
            `The link was mailed to ${made.sentTo}. The other administrators got a notice.`,
          )
          return
        }
        link.value = {
          title: `Send this to ${name}`,
          text: `It leads ${email} to a page that replaces every way to sign in. Until it is used, nothing changes.`,
          ...made,
        }
      }),
  }
}
