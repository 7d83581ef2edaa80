// The checks that several faults share. Each reads only what was seen from outside, and says what a good app
// does, why, and how. Pure. Contract §15.
import { BEARERS } from '@chartside/protocol/failure-report'
import type { Part, Verdict } from '@chartside/protocol/fault-grade'
import type { Baseline, Check, Seen } from './fault.ts'

const passed = (evidence: string): Verdict => ({ state: 'passed', evidence })
const failed = (evidence: string): Verdict => ({ state: 'failed', evidence })
const notObservable = (evidence: string): Verdict => ({ state: 'not_observable', evidence })
const when = (isGood: boolean, good: string, bad: string): Verdict =>
  isGood ? passed(good) : failed(bad)

const NO_SCREEN = 'The app has no screen.'

export const sendsNoCode: Check = {
  name: 'sends-no-code',
  part: 'safety',
  title: 'Exchanges nothing after a callback that it did not ask for',
  cause: 'A page of an attacker can sign your user in as another person.',
  fix: 'Compare state and issuer before anything else; readCallback of the app kit does.',
  judge: ({ exchanges }) =>
    when(
      exchanges.length === 0,
      'No code was sent.',
      `${exchanges.length} code(s) were exchanged.`,
    ),
}

export const presentsNoToken: Check = {
  name: 'presents-no-token',
  part: 'safety',
  title: 'Presents no access token to the panel',
  cause: 'The launch was refused, and the app went on as if it had been granted.',
  fix: 'Stop at the first error of the launch; start nothing without the tokens of this launch.',
  judge: ({ tokens }) =>
    when(tokens === 0, 'No token was presented.', `${tokens} token(s) were presented.`),
}

export const showsNoUser: Check = {
  name: 'shows-no-user',
  part: 'safety',
  title: 'Signs no one in',
  cause: 'The app accepted an identity that it had to refuse.',
  fix: 'Verify signature, issuer, audience, expiry and nonce of the ID token before the session begins.',
  judge: ({ text, facts }, { showsUser }) => {
    if (!showsUser) return notObservable('The app shows no name of a user.')
    return when(
      facts.showsUser !== true,
      'The name of the user does not stand in the frame.',
      `The frame shows the user: ${excerpt(text)}`,
    )
  },
}

export const sendsCodeOnce: Check = {
  name: 'sends-a-code-once',
  part: 'safety',
  title: 'Never sends a spent code again',
  cause: 'A code dies with its first exchange; a second one revokes the tokens of the first.',
  fix: 'Exchange once, and launch again after a failure.',
  judge: ({ exchanges }) => {
    if (exchanges.length === 0) return notObservable('No code was exchanged.')
    const again = exchanges.filter(
      ({ code }, index) => exchanges.findIndex((other) => other.code === code) < index,
    )
    const times = again.map(({ atMs }) => `${(atMs / 1000).toFixed(1)} s`).join(', ')
    return when(again.length === 0, 'Each code was sent once.', `Sent again after ${times}.`)
  },
}

export const opensAgain: Check = {
  name: 'opens-again',
  part: 'recovers',
  title: 'Opens once the fault is gone',
  cause: 'One failed launch leaves the app unusable for its user.',
  fix: 'Keep nothing of a failed launch: each launch has its own state, code and session.',
  judge: ({ opensAgain }) => {
    if (opensAgain === undefined) return notObservable('No launch was tried after the fault.')
    return when(opensAgain, 'A new launch was ready.', 'A new launch did not become ready.')
  },
}

export const doesNotLoop: Check = {
  name: 'does-not-loop',
  part: 'recovers',
  title: 'Does not ask for the same launch again and again',
  cause: 'A launch yields tokens once, so a second request can only fail.',
  fix: 'Show what happened after the first refusal; let the user launch again.',
  judge: ({ authorized }) =>
    when(
      authorized.length <= 3,
      `authorize was asked ${authorized.length} time(s).`,
      `authorize was asked ${authorized.length} times.`,
    ),
}

/** Words of OAuth and of programs, which a provider cannot act on. */
const DEVELOPER_WORDS =
  /\b(client_?secret|invalid_\w+|access_denied|temporarily_unavailable|redirect_uri|id_token|access_token|oauth|openid|jwt|json|undefined|null|exception|stack ?trace|\w*Error:|HTTP ?\d{3}|nonce|csrf|audience|<!doctype)\b/i

export const saysSomething: Check = {
  name: 'says-something',
  part: 'words',
  title: 'Says what happened, in place of an empty page',
  cause: 'The provider looks at an empty frame and does not know what to do.',
  fix: 'Show one sentence: what happened, and what to do now.',
  judge: ({ text }, { hasScreen }) => {
    if (!hasScreen) return notObservable(NO_SCREEN)
    const words = text.split(/\s+/).filter(Boolean).length
    return when(words >= 4, `It says: ${excerpt(text)}`, `The frame has ${words} word(s).`)
  },
}

export const plainWords: Check = {
  name: 'plain-words',
  part: 'words',
  title: 'Keeps developer words from the provider',
  cause: 'The provider reads words of a program, and can do nothing with them.',
  fix: 'Say it in the words of the provider; keep code and cause folded, for support.',
  judge: ({ text }, { hasScreen }) => {
    if (!hasScreen) return notObservable(NO_SCREEN)
    const [found] = DEVELOPER_WORDS.exec(text) ?? []
    return when(!found, 'None of them stands in the frame.', `The frame says "${found}".`)
  },
}

export const namesTrace: Check = {
  name: 'names-the-trace',
  part: 'trace',
  title: 'Passes the trace id of the failure on',
  cause: 'Support cannot find the failed launch.',
  fix: 'Report the failure with its trace id (reportLaunchFailure), and show the id for support.',
  judge: ({ traces, reported, text }) => {
    if (traces.length === 0) return notObservable('The service gave no trace id in this fault.')
    const known = [
      ...reported.flatMap(({ message, traceId = '' }) => [message, traceId]),
      text,
    ].join(' ')
    const isNamed = traces.some((trace) => known.includes(trace))
    return when(isNamed, 'The panel or the page has it.', 'Neither the panel nor the page has it.')
  },
}

export const reportsFailure: Check = {
  name: 'reports-the-failure',
  part: 'trace',
  title: 'Tells the panel that the launch failed',
  cause: 'The panel waits ten seconds and can only guess.',
  fix: 'Call reportLaunchFailure of @chartside/sdk with code and message.',
  judge: ({ reported }) =>
    when(
      reported.length > 0,
      `It reported ${reported[0]?.code}.`,
      'The panel got no report of the app.',
    ),
}

export const saysSoon = (seconds: number): Check => ({
  name: `says-within-${seconds}-s`,
  part: 'words',
  title: `Says within ${seconds} seconds that it gave up`,
  cause: 'The provider waits in front of a frame that does nothing.',
  fix: 'Give the exchange ten seconds at most, then say what to do.',
  judge: ({ saidAfterMs, exchanges: [first] }, { hasScreen }) => {
    if (!hasScreen) return notObservable(NO_SCREEN)
    if (saidAfterMs === undefined) return failed('It never said anything.')
    const waitedMs = saidAfterMs - (first?.atMs ?? 0)
    const at = `${(waitedMs / 1000).toFixed(1)} s`
    return when(waitedMs <= seconds * 1000, `It said so after ${at}.`, `It took ${at}.`)
  },
})

/** A fact that the fault itself notes. */
export const fact = (
  name: string,
  part: Part,
  texts: { readonly title: string; readonly cause: string; readonly fix: string },
): Check => ({
  ...{ name, part },
  ...texts,
  judge: ({ facts }: Seen, _baseline: Baseline) => {
    const value = facts[name]
    if (value === undefined) return notObservable('The app gives no occasion to see it.')
    return when(value, 'It was seen.', 'It was not so.')
  },
})

/** Cuts what is too long and takes out what looks like a bearer value: a report may be sent to others. */
export const withoutBearers = (text: string, length: number): string =>
  text.replace(BEARERS, '(left out)').slice(0, length)

const excerpt = (text: string): string =>
  JSON.stringify(withoutBearers(text.replace(/\s+/g, ' ').trim(), 90))

/** The checks after a launch that was refused, whatever the reason. */
export const REFUSED: readonly Check[] = [
  presentsNoToken,
  saysSomething,
  plainWords,
  reportsFailure,
  opensAgain,
]
