// Whom a revocation request of an identity provider is about (Global Token Revocation, draft-parecki-oauth-
// global-token-revocation; Okta calls it Universal Logout). By issuer and subject only: an address binds no
// user at the provider of an account, so it ends none either. Pure. RFC 9493 3.2.3, decision 82.
import { parseJson } from '../../http/input/json.ts'
import { ApiError, OAuthError } from '../../kernel/errors.ts'

/** Drafts before 02 call the member `subject`, as do older descriptions of Okta. */
const MEMBERS = ['sub_id', 'subject'] as const

/** @throws OAuthError invalid_request */
export function parseRevokedSubject(body: string, issuer: string): string {
  const request = recordOf(readBody(body))
  const [subject, ...more] = MEMBERS.flatMap((name) => request[name] ?? [])
  const { format, iss, sub } = recordOf(subject)
  if (subject === undefined || more.length > 0) {
    throw malformed('The body has one member sub_id, with the person as a subject identifier.')
  }
  if (format !== 'iss_sub') {
    throw malformed(
      'The format of sub_id must be iss_sub. In Okta, choose Issuer and Subject Identifier as the subject format: an e-mail address ends no sign-in here.',
    )
  }
  if (iss !== issuer) throw malformed('The iss of sub_id is not the issuer of this provider.')
  if (typeof sub !== 'string' || sub === '') throw malformed('The sub of sub_id is missing.')
  return sub
}

const malformed = (message: string) => new OAuthError('invalid_request', message)

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

function readBody(body: string): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw malformed(error.message)
  }
}
