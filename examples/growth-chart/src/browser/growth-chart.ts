// The page, in the order of its story: the server exchanges the code, the SDK meets the panel, the
// app's own session fetches what is drawn. Tokens stay in this function's memory.
// Spec §4.5, §5.1, §5.6, §2.5 (context is not proof).
import {
  describe,
  el,
  type ProblemView,
  showApp,
  showEnded,
  showProblem,
  type WhoIsHere,
} from '@chartside/example-app-shell/browser'
import { type Child, drawGrowth } from './drawing.ts'

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
  readonly person: WhoIsHere
  readonly child: Child
}

// What is no Error is what the server answered.
open().catch((thrown: unknown) =>
  showProblem(thrown instanceof Error ? describe(thrown) : (thrown as ProblemView)),
)

async function open(): Promise<void> {
  const { callbackQuery: query } = window as unknown as { callbackQuery: string }
  const { access_token, id_token, launch } = await call<Record<string, string>>('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const tokens = { accessToken: access_token ?? '', idToken: id_token ?? '' }
  const sdk = await Chartside.initServiceSDK(tokens)
  const headers = { 'x-launch': launch ?? '' }
  sdk.on('ended', () => {
    showEnded('The launch has ended, so this session was ended too.')
    call('/session', { method: 'DELETE', headers, keepalive: true }).catch(() => undefined)
  })
  showGrowth(await call<Growth>('/api/growth', { headers }), sdk)
}

async function call<Reply>(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(path, init)
  const reply: unknown = await response.json()
  if (!response.ok) throw reply
  return reply as Reply
}

function showGrowth({ person, child }: Growth, { sessionContext }: Sdk): void {
  const told = sessionContext?.account.name ?? 'nothing'
  const note = `The panel says ${told}; the name above is from the ID token that this server verified. The child and the curves are invented.`
  showApp(
    person,
    el('section', {}, el('h2', {}, `${child.name}, weight by age`), drawGrowth(child)),
    el('p', { class: 'quiet' }, note),
  )
}
