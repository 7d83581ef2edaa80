// Another implementation of SCIM, the npm package scimmy, as a judge: it reads our answers as its clients would,
// and applies a patch by RFC 7644 3.5.2 itself. Holds no expectation of ours.
import assert from 'node:assert/strict'
import SCIMMY from 'scimmy'

const { Messages, Schemas } = SCIMMY
type Body = Readonly<Record<string, unknown>>

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** What scimmy keeps of a resource of ours, in plain values. @throws TypeError what is wrong with it */
const readUser = (body: unknown): Body =>
  JSON.parse(JSON.stringify(new Schemas.User(body as object, 'both')))

/** Asserts that scimmy reads the answer, and finds in it what a plain reader does. */
export function assertRead(body: Body): void {
  const [schema] = body.schemas as readonly string[]
  if (schema === USER) {
    const { id, userName, active, emails, externalId } = body
    const read = readUser(body)
    assert.deepEqual([read.id, read.userName, read.active], [id, userName, active])
    assert.deepEqual([read.externalId, read.emails], [externalId, emails])
  } else if (schema === LIST) {
    const resources = body.Resources as readonly Body[]
    const { itemsPerPage, startIndex, totalResults } = new Messages.ListResponse(body as never)
    assert.deepEqual([startIndex, totalResults], [body.startIndex, body.totalResults])
    assert.equal(itemsPerPage, body.itemsPerPage)
    for (const resource of resources) assertRead(resource)
  } else if (schema === ERROR) {
    const { status, scimType, detail } = body as { readonly status: string } & Body
    const read = new Messages.ErrorResponse({ status: Number(status), scimType, detail } as never)
    assert.deepEqual([read.status, read.scimType, read.detail], [status, scimType, detail])
  }
}

/** The resource as it is after these operations, by scimmy. */
export async function patchedByScimmy(user: Body, operations: readonly object[]): Promise<Body> {
  const patch = new Messages.PatchOp({ schemas: [PATCH], Operations: operations } as never)
  const stored = new Schemas.User(user as object, 'both')
  const patched = await patch.apply(stored as never)
  // Undefined says that nothing has changed.
  return readUser(patched ?? stored)
}
