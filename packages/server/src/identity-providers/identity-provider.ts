// What the OpenID Connect provider of an account is, and what is wrong with one that is registered. Pure.
// Contract §13, OpenID Connect Core 3.1.2.1.
import { findUrlProblem, isLoopbackHost } from '@chartside/protocol/oauth'
import type { FieldError } from '../kernel/errors.ts'

export interface IdentityProvider {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** The client secret, sealed; a public client has none, and PKCE alone. */
  readonly sealedSecret: string | undefined
  readonly scopes: string
  readonly authorizeParams: Readonly<Record<string, string>>
  /** The account is reached by a sign-in at a provider that it requires, and by no other. */
  readonly required: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export const DEFAULT_SCOPES = 'openid email profile'

/** The service sends these itself, or what they mean would change how it reads the answer. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'max_age', 'request', 'request_uri'],
  ...['registration', 'id_token_hint', 'client_secret'],
])

type Registered = Pick<IdentityProvider, 'issuer' | 'scopes' | 'authorizeParams'>

/** @param allowsLoopback in development an issuer may be http on loopback */
export function listProviderProblems(
  { issuer, scopes, authorizeParams }: Registered,
  allowsLoopback: boolean,
): FieldError[] {
  const problem = findIssuerProblem(issuer, allowsLoopback)
  const own = Object.keys(authorizeParams).filter((name) => OWN_PARAMETERS.has(name))
  return [
    ...(problem ? [{ field: '/issuer', message: `The issuer ${problem}.` }] : []),
    ...(scopes.split(' ').includes('openid')
      ? []
      : [{ field: '/scopes', message: 'One of the scopes must be openid.' }]),
    ...own.map((name) => ({
      field: `/authorizeParams/${name}`,
      message: 'The service sends this parameter itself.',
    })),
  ]
}

function findIssuerProblem(issuer: string, allowsLoopback: boolean): string | undefined {
  const problem = findUrlProblem(issuer)
  if (problem) return problem
  const { hostname, search } = new URL(issuer)
  if (search || issuer.includes('?')) return 'has a query'
  if (issuer.includes('/.well-known/')) return 'ends before /.well-known'
  return isLoopbackHost(hostname) && !allowsLoopback ? 'is on loopback' : undefined
}

/** Builds the address that an administrator registers at the provider. */
export const redirectUriOf = (baseUrl: string, id: string) => `${baseUrl}/auth/callback/${id}`

/** Builds the address at which the provider ends the sign-ins of a person. */
export const revocationUriOf = (baseUrl: string, id: string) => `${baseUrl}/auth/revocation/${id}`
