// What became of a notice to the server of an app or a vendor, as a pill, and what that server answered: for logout
// notices and for webhooks.
/** @jsxImportSource preact */
import { Pill } from '@chartside/ui'

const OUTCOMES = {
  waiting: { tone: 'quiet', icon: 'clock', words: 'Waiting' },
  delivered: { tone: 'good', icon: 'check', words: 'Taken' },
  refused: { tone: 'bad', icon: 'cross', words: 'Refused with 400' },
  switched_off: { tone: 'bad', icon: 'cross', words: 'Switched off with 410' },
  will_retry: { tone: 'warn', icon: 'alert', words: 'Failed, is tried again' },
  given_up: { tone: 'bad', icon: 'cross', words: 'Given up' },
  no_address: { tone: 'warn', icon: 'alert', words: 'The address was gone' },
  failed: { tone: 'bad', icon: 'cross', words: 'Not taken' },
} as const

type Outcome = keyof typeof OUTCOMES

export const describeOutcome = (outcome: Outcome): string => OUTCOMES[outcome].words

export function OutcomePill({ outcome }: { readonly outcome: Outcome }) {
  const { tone, icon, words } = OUTCOMES[outcome]
  return (
    <Pill tone={tone} icon={icon}>
      {words}
    </Pill>
  )
}

/** The status and the first words of the answer, or the problem of the connection. */
export const describeAnswer = ({
  status,
  answer = '',
}: {
  readonly status?: number
  readonly answer?: string
}): string => [status, answer.replaceAll('_', ' ')].filter(Boolean).join(' ')
