// The script of the callback page: its server exchanges the code, the SDK connects to the panel, and
// then the app's own session begins, which fetches the data of the drawing. Keeps tokens in a local
// variable only.
// Spec §4.5, §5.1, §5.6, §2.5 (context is not proof).
import {
  describeProblem,
  el,
  show,
  showEnded,
  showProblem,
  userHeader,
} from '@chartside/app-kit/page'
import type { ProblemView } from '@chartside/app-kit/server'
import { drawReference, type Reference } from './drawing.ts'

interface SessionContext {
  readonly account: { readonly name: string }
  readonly ehrType: string
}

interface Sdk {
  readonly sessionContext: SessionContext | null
  on(event: 'ended', listener: () => void): void
}

/** The SDK's script; undefined when it did not load. */
declare const Chartside: {
  initServiceSDK(tokens: { accessToken: string; idToken: string }): Promise<Sdk>
}

const SDK_BLOCKED = {
  error: 'script_blocked',
  cause: 'The SDK script did not load.',
  fix: 'Look for an ad blocker; check script-src and integrity.',
}

interface Growth {
  readonly person: { readonly name: string; readonly practice: string }
  readonly reference: Reference
}

open().catch((error: unknown) => {
  const problem = describeProblem(error)
  showProblem(problem)
  const { error: code, cause: message, fix, trace_id: traceId } = problem
  // In the host's timeline, at once. The SDK sends the same message, but it may be what is missing.
  parent.postMessage({ type: 'chartside:failure', code, message, fix, traceId }, '*')
})

async function open(): Promise<void> {
  if (!('Chartside' in window))
    throw Object.assign(new Error(SDK_BLOCKED.cause), { body: SDK_BLOCKED })
  const { callbackQuery: query } = window as unknown as { callbackQuery: string }
  const { access_token, id_token, ticket } = await post('/exchange', { query })
  const tokens = { accessToken: access_token ?? '', idToken: id_token ?? '' }
  const sdk = await Chartside.initServiceSDK(tokens)
  // Not before: a launch that is opened outside its own panel ends above, and leaves no session.
  const { launch = '' } = await post('/session', { ticket })
  const headers = { 'x-launch': launch }
  sdk.on('ended', () => {
    showEnded()
    send('/session', { method: 'DELETE', headers, keepalive: true }).catch(() => undefined)
  })
  showGrowth(await send<Growth>('/api/growth', { headers }), sdk)
}

function post(path: string, body: object) {
  return send<Readonly<Record<string, string>>>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** @throws Error with the server's error response as `body` */
async function send<Reply>(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(path, init)
  const body: unknown = await response.json()
  if (response.ok) return body as Reply
  throw Object.assign(new Error((body as ProblemView).cause), { body })
}

function showGrowth({ person, reference }: Growth, { sessionContext }: Sdk): void {
  const context = sessionContext?.account.name ?? 'nothing'
  const noPatient =
    'The launch names no patient, so no child is drawn: only the curves to compare with, which are invented.'
  const note = `The panel says ${context}; the name above is from the ID token that this server verified.`
  show(
    'app',
    userHeader(person),
    el('section', {}, el('h2', {}, 'Weight by age: reference'), drawReference(reference)),
    el('p', { id: 'no-patient' }, noPatient),
    el('p', { class: 'quiet' }, note),
  )
}
