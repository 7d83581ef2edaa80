// The refusals of SCIM (RFC 7644 3.12) and the media type of all its answers: some directories parse no
// other. Pure.
import type { Reply } from '../http/call.ts'
import { problemReply } from '../http/replies.ts'

export const SCIM_TYPE = { 'content-type': 'application/scim+json; charset=utf-8' } as const

type ScimType = 'invalidFilter' | 'invalidSyntax' | 'invalidValue' | 'uniqueness'

export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, message: string, scimType?: ScimType) {
    super(message)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

export const scimReply = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  headers: { ...SCIM_TYPE, 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

export function scimErrorReply(error: unknown, traceId: string): Reply {
  if (error instanceof ScimError) {
    const challenge = error.status === 401 ? { 'www-authenticate': 'Bearer realm="scim"' } : {}
    return scimReply(
      error.status,
      errorBody(error.status, error.message, error.scimType),
      challenge,
    )
  }
  const { status, headers, body } = problemReply(error, traceId)
  const { detail } = body as { readonly detail: string }
  return scimReply(status, errorBody(status, detail), { ...headers, ...SCIM_TYPE })
}

const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType ? { scimType } : {}),
  detail,
})
