// Faults of the callback: the redirect of authorize returns changed. A good app exchanges nothing then.
// Contract §15.
import {
  namesTrace,
  opensAgain,
  plainWords,
  REFUSED,
  saysSomething,
  sendsNoCode,
} from '../checks.ts'
import type { Fault } from '../fault.ts'
import { onRedirect, refusing } from '../intercepts.ts'

const FORGED = [sendsNoCode, ...REFUSED]

export const CALLBACK_FAULTS: readonly Fault[] = [
  {
    ...{ name: 'state-changed', step: 'callback', by: 'redirect' },
    title: 'state is changed on its way back',
    intercept: onRedirect((query) => {
      const state = query.get('state') ?? ''
      query.set('state', `${state.slice(0, -4)}${state.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`)
    }),
    checks: FORGED,
  },
  {
    ...{ name: 'state-of-another', step: 'callback', by: 'redirect' },
    title: 'state of another launch',
    intercept: onRedirect((query) => {
      const [, random = ''] = (query.get('state') ?? '').split(':')
      query.set('state', `lnch_${'A'.repeat(43)}:${random}`)
    }),
    checks: FORGED,
  },
  {
    ...{ name: 'state-missing', step: 'callback', by: 'redirect' },
    title: 'The callback has no state',
    intercept: onRedirect((query) => query.delete('state')),
    checks: FORGED,
  },
  {
    ...{ name: 'state-doubled', step: 'callback', by: 'redirect' },
    title: 'The callback has two states',
    intercept: onRedirect((query) => query.append('state', `lnch_${'A'.repeat(43)}:other`)),
    checks: FORGED,
  },
  {
    ...{ name: 'issuer-mixup', step: 'callback', by: 'redirect' },
    title: 'The answer is of another issuer',
    intercept: onRedirect((query) => query.set('iss', 'https://other-issuer.example')),
    checks: FORGED,
  },
  {
    ...{ name: 'code-missing', step: 'callback', by: 'redirect' },
    title: 'The callback has no code',
    intercept: onRedirect((query) => query.delete('code')),
    checks: FORGED,
  },
  {
    ...{ name: 'denied', step: 'callback', by: 'redirect' },
    title: 'Authorize answers access_denied',
    intercept: refusing('access_denied', 'The user has been signed out.'),
    checks: [sendsNoCode, saysSomething, plainWords, namesTrace, opensAgain],
  },
]
