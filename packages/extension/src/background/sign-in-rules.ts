// The rules of signing in and out: which tab belongs to the sign-in, what an answer of the service
// means, and what of the tabs ends with it. Pure. Contract §3.
import type { EndReason } from '@chartside/protocol/handshake'
import type { SignedOutReason } from '../messages.ts'
import type { Decision, Effect, Event } from './events.ts'
import { NO_SESSION, type State } from './state.ts'
import { endOf } from './tab-rules.ts'

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

/** A second click on the same page shows the sign-in that waits. */
export function beginSignIn(
  state: State,
  { prepared, originTabId }: EventOf<'sign_in_asked'>,
): Decision<State> {
  const { signIn, settings } = state
  if (signIn.kind === 'in' || !settings) return { state, effects: [] }
  if (signIn.kind === 'waiting') return showSignInTab(state, originTabId)
  return {
    state: {
      ...state,
      strandedTabId: null,
      signIn: { kind: 'waiting', ...prepared, tabId: null, originTabId, proof: null },
    },
    effects: [
      { type: 'open_sign_in_tab', prepared, accountId: settings.accountId, originTabId },
      { type: 'poll_sign_in', prepared },
    ],
  }
}

/** The chart from which it is shown is the one to return to. Beside the tab itself nothing changes. */
export function showSignInTab(state: State, from: number | null): Decision<State> {
  const { signIn } = state
  if (signIn.kind !== 'waiting') return { state, effects: [] }
  const { tabId } = signIn
  const accountId = state.settings?.accountId ?? null
  const originTabId = from === null || from === tabId ? signIn.originTabId : from
  const effect: Effect =
    tabId === null
      ? { type: 'open_sign_in_tab', prepared: signIn, accountId, originTabId }
      : { type: 'show_tab', tabId }
  return { state: { ...state, signIn: { ...signIn, originTabId } }, effects: [effect] }
}

export function recordSignInTab(
  state: State,
  { tabId, originTabId }: EventOf<'sign_in_tab_opened'>,
): Decision<State> {
  const { signIn } = state
  // Cancelled while the tab opened.
  if (signIn.kind !== 'waiting') {
    return { state, effects: [{ type: 'close_sign_in_tab', tabId, originTabId }] }
  }
  return { state: { ...state, signIn: { ...signIn, tabId } }, effects: [] }
}

/** A link of another person leads another tab here: its proof is for that person's sign-in. */
export function recordApproval(
  state: State,
  { tabId, proof }: EventOf<'sign_in_approved'>,
): Decision<State> {
  const { signIn } = state
  const isOurs = signIn.kind === 'waiting' && signIn.tabId === tabId
  return { state: isOurs ? { ...state, signIn: { ...signIn, proof } } : state, effects: [] }
}

/** The person may have closed the tab by mistake: the sign-in waits on. */
export function forgetSignInTab(before: State, tabId: number): State {
  const state = before.strandedTabId === tabId ? { ...before, strandedTabId: null } : before
  const { signIn } = state
  return signIn.kind === 'waiting' && signIn.tabId === tabId
    ? { ...state, signIn: { ...signIn, tabId: null } }
    : state
}

const closeSignInTab = ({ signIn }: State): Effect[] => {
  if (signIn.kind !== 'waiting' || signIn.tabId === null) return []
  const { tabId, originTabId } = signIn
  return [{ type: 'close_sign_in_tab', tabId, originTabId }]
}

export function cancelSignIn(state: State, because: SignedOutReason): Decision<State> {
  const { signIn } = state
  if (signIn.kind !== 'waiting') return { state, effects: [] }
  return { state: { ...state, signIn: { kind: 'out', because } }, effects: closeSignInTab(state) }
}

export function finishSignIn(state: State, event: EventOf<'signed_in'>): Decision<State> {
  const { signIn, settings } = state
  const { service, token, person, now } = event
  // Cancelled or begun again meanwhile: this token must not stay alive.
  if (signIn.kind !== 'waiting' || signIn.sessionId !== event.sessionId || !settings) {
    return { state, effects: [{ type: 'sign_out', service, token }] }
  }
  return {
    state: {
      ...state,
      isOffline: false,
      leftover: [],
      signIn: {
        kind: 'in',
        token,
        person,
        practices: null,
        practicesAt: now,
        signsOutAt: null,
        activeAt: now,
      },
    },
    effects: [
      { type: 'load_practices', token, accountId: settings.accountId, known: [] },
      ...closeSignInTab(state),
      ...state.leftover.map((id) => ({ type: 'end_session', token, sessionId: id }) as const),
    ],
  }
}

/** Ends every session here. The service ends them by itself with the sign-in. */
export function endSignIn(state: State, because: SignedOutReason): Decision<State> {
  const out = { kind: 'out', because } as const
  const tabs = Object.entries(state.tabs)
  return {
    state: {
      ...state,
      signIn: out,
      tabs: Object.fromEntries(tabs.map(([id, tab]) => [id, { ...tab, session: NO_SESSION }])),
    },
    effects: tabs.flatMap(([, tab]) => endOf({ ...state, signIn: out }, tab)),
  }
}

export function signOut(state: State): Decision<State> {
  const { signIn, settings } = state
  if (signIn.kind === 'waiting') return cancelSignIn(state, null)
  if (signIn.kind === 'out' || !settings) return { state, effects: [] }
  const { service } = settings
  const ended = endSignIn(state, null)
  return {
    state: ended.state,
    effects: [{ type: 'sign_out', service, token: signIn.token }, ...ended.effects],
  }
}

/** Reasons that end the sign-in itself; any other is about one session. */
export const endsSignIn = (reason: EndReason): boolean =>
  (['signed_out', 'idle', 'expired'] as readonly string[]).includes(reason)
