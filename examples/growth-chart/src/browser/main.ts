// The script of the callback page: its server exchanges the code, the SDK connects to the panel,
// the app's own session fetches the data of the drawing. Keeps tokens in a local variable only.
// Spec §4.5, §5.1, §5.6, §2.5 (context is not proof).
import type { ProblemView } from '../problem.ts'
import { type Child, drawGrowth } from './drawing.ts'
import { describe } from './problem.ts'
import { el, show, showEnded, showProblem, userHeader } from './views.ts'

interface SessionContext {
  readonly account: { readonly name: string }
  readonly ehrType: string
}

interface Sdk {
  readonly sessionContext: SessionContext | null
  on(event: 'ended', listener: () => void): void
}

declare const Chartside: {
  initServiceSDK(tokens: { accessToken: string; idToken: string }): Promise<Sdk>
}

interface Growth {
  readonly person: { readonly name: string; readonly practice: string }
  readonly child: Child
}

open().catch((error: unknown) => showProblem(describe(error)))

async function open(): Promise<void> {
  const { callbackQuery: query } = window as unknown as { callbackQuery: string }
  const { access_token, id_token, launch } = await send<Record<string, string>>('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const tokens = { accessToken: access_token ?? '', idToken: id_token ?? '' }
  const sdk = await Chartside.initServiceSDK(tokens)
  const headers = { 'x-launch': launch ?? '' }
  sdk.on('ended', () => {
    showEnded()
    send('/session', { method: 'DELETE', headers, keepalive: true }).catch(() => undefined)
  })
  showGrowth(await send<Growth>('/api/growth', { headers }), sdk)
}

/** @throws Error with the server's error response as `body` */
async function send<Reply>(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(path, init)
  const body: unknown = await response.json()
  if (response.ok) return body as Reply
  throw Object.assign(new Error((body as ProblemView).cause), { body })
}

function showGrowth({ person, child }: Growth, { sessionContext }: Sdk): void {
  const context = sessionContext?.account.name ?? 'nothing'
  const note = `The panel says ${context}; the name above is from the ID token that this server verified. The child and the curves are invented.`
  show(
    'app',
    userHeader(person),
    el('section', {}, el('h2', {}, `${child.name}, weight by age`), drawGrowth(child)),
    el('p', { class: 'quiet' }, note),
  )
}
