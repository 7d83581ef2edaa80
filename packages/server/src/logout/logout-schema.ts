// The payloads of logout notices: what became of the last ones, and of a test. Text of a foreign server is cut
// before it comes here. Contract §12.
import { closed, integer, like, listOf, oneOf, time, titled } from '../http/payload.ts'
import { LOGOUT_OUTCOMES } from './logout.ts'

const OUTCOME = { ...oneOf(...LOGOUT_OUTCOMES), examples: ['delivered'] } as const
const STATUS = {
  ...integer,
  description: 'Of the answer; absent without one.',
  examples: [204],
} as const
const ANSWER = {
  ...like('connection_refused'),
  description: 'The first 300 characters of the answer, or why there was none.',
} as const

export const LOGOUT_NOTICES = titled(
  'LogoutNotices',
  closed({
    items: listOf(
      titled(
        'LogoutNoticeOutcome',
        closed(
          { outcome: OUTCOME, count: { ...integer, examples: [412] }, at: time, answer: ANSWER },
          { status: STATUS },
        ),
      ),
    ),
  }),
)

export const LOGOUT_TEST = titled(
  'LogoutTest',
  closed(
    {
      outcome: oneOf('delivered', 'refused', 'switched_off', 'will_retry'),
      milliseconds: { ...integer, examples: [48] },
      answer: ANSWER,
    },
    { status: STATUS },
  ),
)
