// What this app tells its own page when something fails, beside what every error of the kit says of
// itself. Never carries a code, a token or a secret. Spec §7.
import { ExchangeError } from '@chartside/app-kit/server'
import { type Explained, explain as explainError } from '@chartside/example-app-shell/problem'
import { TITLE } from './pages.ts'

export function explain(error: unknown): Explained {
  if (error instanceof ExchangeError && error.code === 'exchange_refused') {
    const { status, problem } = explainError(error, TITLE)
    // The service's own code says more than that it refused.
    return { status, problem: { ...problem, error: error.error } }
  }
  return explainError(error, TITLE)
}
