// The words for each end of a launch and of an EHR session, in two registers: what the person reads
// who uses the app, and what its developer reads on the timeline. The one place of these words.
// Contract §3.
import type { EndReason } from '@chartside/protocol/launch'

export interface EndWords {
  /** The text says what happened and what to do; it is empty when the person closed the app. */
  readonly person: string
  readonly developer: string
}

const WORDS: Readonly<Record<EndReason, EndWords>> = {
  signed_out: {
    person: 'You signed out.',
    developer: 'The provider signed out.',
  },
  idle: {
    person: 'You were signed out, because you were not active for a while. Sign in again.',
    developer: 'The sign-in ended without activity of the provider (idle).',
  },
  expired: {
    person: 'Its access came to its end. Open it again.',
    developer: 'The access token expired, or the sign-in reached the end of its lifetime.',
  },
  revoked: {
    person: 'Its access was taken back. Ask an administrator if you still need it.',
    developer: 'The access was revoked: its token, the membership, or the person’s account.',
  },
  app_disabled: {
    person: 'It was switched off. Ask an administrator if you still need it.',
    developer: 'The app was disabled or deleted; enabling it revives no launch.',
  },
  account_closed: {
    person: 'The account of the practice was closed.',
    developer: 'The account of the practice was deleted.',
  },
  chart_changed: {
    person: 'You opened another chart.',
    developer: 'The provider opened another chart; the host opened the app again for that one.',
  },
  closed: {
    person: '',
    developer: 'The host closed the app or its EHR session.',
  },
}

const NEVER_OPENED: EndWords = {
  person: 'It was not opened in time. Open it again.',
  developer: 'The launch expired before the app got a token.',
}

const NEVER_EXCHANGED: EndWords = {
  person: 'It could not be opened. Open it again.',
  developer:
    'The launch ended without a token: its code died with a failed exchange, or the access was revoked.',
}

/**
 * Returns why a launch ended, in words for the person and for the developer; `hadToken` is false when its
 * code was never exchanged. Never throws. Contract §5.
 * @example const { person } = explainEnd('expired', { hadToken: true })
 */
export function explainEnd(reason: EndReason, { hadToken }: { hadToken: boolean }): EndWords {
  if (!hadToken && reason === 'expired') return NEVER_OPENED
  if (!hadToken && reason === 'revoked') return NEVER_EXCHANGED
  return WORDS[reason]
}

/**
 * Returns why the EHR session ended, in words for the person: the sign-in ended, or its host or an
 * administrator ended it. Never throws. Contract §5.
 * @example banner.textContent = explainSessionEnd('signed_out')
 */
export function explainSessionEnd(reason: EndReason): string {
  switch (reason) {
    case 'signed_out':
    case 'idle':
    case 'account_closed':
      return WORDS[reason].person
    case 'expired':
      return 'Your sign-in came to its end. Sign in again.'
    case 'revoked':
      return 'Your access was taken back. Ask an administrator if you still need it.'
    default:
      return 'The EHR session ended. Sign in again to continue.'
  }
}
