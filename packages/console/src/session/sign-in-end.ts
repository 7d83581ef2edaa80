// When the sign-in of this browser ends. Keys and pointer are reported as activity, at most once a
// minute; two minutes before the end a strip warns. Every moment is asked for again before it counts,
// since another tab may have moved it. Contract §3, security P04.
import type { SignInEnd } from '@chartside/protocol/payloads'
import { signal } from '@preact/signals'
import { loadSignInEnd, reportActivity } from '../api/people.ts'
import { isAborted, problemOf } from '../api/problem.ts'

export interface Warning {
  /** Milliseconds, by the clock of this device. */
  readonly endsAt: number
  readonly reason: SignInEnd['reason']
}

export const warning = signal<Warning | undefined>(undefined)

const REPORT_INTERVAL_MS = 60_000
const ASK_AGAIN_MS = 5000

let timer: ReturnType<typeof setTimeout> | undefined
let reportedAt = 0

function plan({ now: serviceNow, endsAt, warnAt, reason }: SignInEnd): void {
  clearTimeout(timer)
  const now = Date.now()
  const here = (text: string) => Date.parse(text) - Date.parse(serviceNow) + now
  const [warns, ends] = [here(warnAt), here(endsAt)]
  const isNear = now >= warns
  warning.value = isNear ? { endsAt: ends, reason } : undefined
  const next = isNear ? ends : warns
  // A moment later than the service, so that it has happened there.
  timer = setTimeout(() => void ask(), Math.min(Math.max(0, next - now) + 250, 2_000_000_000))
}

/** A sign-in that has ended answers 401, which leads to the sign-in page. */
async function ask(call: () => Promise<SignInEnd> = loadSignInEnd): Promise<void> {
  try {
    plan(await call())
  } catch (error) {
    if (!isAborted(error)) problemOf(error)
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), ASK_AGAIN_MS)
  }
}

export function stay(): Promise<void> {
  reportedAt = Date.now()
  return ask(reportActivity)
}

/** Watches the sign-in; the shell calls it once, when it knows who is signed in. */
export function watchSignIn(): void {
  void ask()
  const note = () => {
    // While the warning stands only its button counts: a stray key must not hide it.
    if (warning.value || Date.now() - reportedAt < REPORT_INTERVAL_MS) return
    void stay()
  }
  addEventListener('keydown', note, { passive: true })
  addEventListener('pointerdown', note, { passive: true })
}
