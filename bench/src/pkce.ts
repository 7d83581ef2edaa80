// A fixed set of PKCE verifiers with their challenges, so that the load generator hashes nothing while it
// measures. Pure. RFC 7636.
import { hash } from 'node:crypto'

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

const COUNT = 64

const PAIRS: readonly Pkce[] = Array.from({ length: COUNT }, (_, index) => {
  const verifier = hash('sha256', `verifier ${index}`, 'base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
})

/** The pair of this number; they repeat. */
export const pkceOf = (index: number): Pkce =>
  PAIRS[index % COUNT] ?? { verifier: '', challenge: '' }
