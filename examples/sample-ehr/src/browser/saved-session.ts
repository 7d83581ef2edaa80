// Keeps the sign-in of this tab across a reload of the page, which a developer does often. Sandbox
// only: a session token in sessionStorage can be read by any script of this origin, and the sandbox
// has sample data. The extension keeps it in memory. Contract §3.
import type { EhrSession, Launch } from '@chartside/protocol/launch'
import { createCaller, type OpenedSession } from './service.ts'

const KEY = 'chartside-sandbox-session'

type Saved = Pick<OpenedSession, 'token' | 'user'> & {
  readonly sessionId: string
  readonly chartKey: string
}

export interface RestoredSession extends OpenedSession {
  /** The launches of the page before; none of them is open any more. */
  readonly launches: readonly Launch[]
}

/** Gives the key of the session's chart references: the same after a reload. */
export function saveSession({ token, user, session }: OpenedSession): string {
  const known = readSaved()
  const isKnown = known?.sessionId === session.id
  const chartKey = isKnown ? known.chartKey : crypto.randomUUID() + crypto.randomUUID()
  const saved: Saved = { token, user, sessionId: session.id, chartKey }
  sessionStorage.setItem(KEY, JSON.stringify(saved))
  return chartKey
}

export function forgetSession(): void {
  sessionStorage.removeItem(KEY)
}

/** Restores the session; null when this is no reload, or the session has ended meanwhile. */
export async function restoreSession(
  service: string,
  ehrType: string,
): Promise<RestoredSession | null> {
  const saved = readSaved()
  if (!saved || !isReload()) return null
  const { token, user, sessionId } = saved
  const call = createCaller(service)
  try {
    const session = await call<EhrSession>('GET', `/api/sessions/${sessionId}`, { token })
    if (session.state !== 'live' || session.ehrType !== ehrType) return null
    const query = `sessionId=${sessionId}`
    const { items } = await call<{ items: Launch[] }>('GET', `/api/launches?${query}`, { token })
    return { token, user, session, launches: items }
  } catch {
    return null
  }
}

function readSaved(): Saved | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Saved | null
  } catch {
    return null
  }
}

function isReload(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
}
