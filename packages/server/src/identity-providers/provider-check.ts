// What the discovery document of a provider says about its registration: one finding, with cause and fix. Pure.
// OpenID Connect Discovery 1.0, 4.
import type { VisitProblem } from '../preflight/page-visit.ts'

/** The answer to the request for the document, or the problem when there is none. */
export type DiscoveryAnswer =
  | { readonly problem: VisitProblem }
  | { readonly status: number; readonly text: string }

export const PROVIDER_FINDINGS = [
  'ready',
  'unreachable',
  'no_document',
  'issuer_differs',
  'incomplete',
] as const

export interface ProviderFinding {
  readonly code: (typeof PROVIDER_FINDINGS)[number]
  readonly cause: string
  /** The fix; absent where nothing is wrong. */
  readonly fix?: string
}

/** Returns the address below the issuer, whatever its path (OpenID Connect Discovery 1.0, 4.1). */
export const discoveryUrlOf = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const MAX_SHOWN = 200

export function decideFinding(issuer: string, answer: DiscoveryAnswer): ProviderFinding {
  const url = discoveryUrlOf(issuer)
  if ('problem' in answer) {
    return {
      code: 'unreachable',
      cause: `The service gets no answer from ${url}: ${answer.problem.replaceAll('_', ' ')}.`,
      fix: 'Check the issuer. It must be https with a valid certificate, at a public address.',
    }
  }
  const document = parseDocument(answer)
  if (!document) {
    return {
      code: 'no_document',
      cause: `${url} answers ${answer.status} without a discovery document.`,
      fix: 'Enter the issuer as the provider names it, with its path and without /.well-known.',
    }
  }
  if (document.issuer !== issuer) {
    const said = typeof document.issuer === 'string' ? document.issuer.slice(0, MAX_SHOWN) : 'none'
    return {
      code: 'issuer_differs',
      cause: `The document names another issuer: ${said}`,
      fix: 'Enter exactly this issuer, if it is yours. A slash at the end counts.',
    }
  }
  const missing = NEEDED.filter((name) => typeof document[name] !== 'string')
  if (missing.length > 0) {
    return {
      code: 'incomplete',
      cause: `The document has no ${missing.join(', ')}.`,
      fix: 'Use a provider of OpenID Connect with the authorization code flow.',
    }
  }
  return {
    code: 'ready',
    cause: 'The provider describes itself as this issuer. Sign in there once to try the rest.',
  }
}

function parseDocument({
  status,
  text,
}: Extract<DiscoveryAnswer, { status: number }>): Record<string, unknown> | undefined {
  if (status !== 200) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
