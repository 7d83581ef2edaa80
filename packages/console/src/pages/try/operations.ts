// Reads the OpenAPI document of the service: the operations of a signed-in person, with their parameters and
// the schema of their body. Says which of them a role may call. Pure.
import type { ApiDocument, Described, Parameter, Schema } from '../../api/document.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  /** The text that says who may call it. */
  readonly description: string
  readonly permission: string
  readonly section: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined
  readonly bodyType: string
  /** An answer of another kind than JSON is not shown here: an event stream, an export. */
  readonly answersJson: boolean
}

/** The part that a reference names; the same part when it is none. */
export function resolve<T extends object>(document: ApiDocument, part: T | { $ref: string }): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T
  const keys = part.$ref.replace('#/', '').split('/')
  const found = keys.reduce<unknown>(
    (at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key],
    document,
  )
  return (found ?? {}) as T
}

/** Every operation of the backend API for a session, in the order of the document. */
export function listOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, one]) => one['x-permission'] !== undefined && one.security.some(isSession))
      .map(([method, described]) => operationOf(document, path, method.toUpperCase(), described)),
  )
}

const isSession = (security: Readonly<Record<string, unknown>>) => 'session' in security

function operationOf(
  document: ApiDocument,
  path: string,
  method: string,
  described: Described,
): Operation {
  const [bodyType = 'application/json', body] =
    Object.entries(described.requestBody?.content ?? {})[0] ?? []
  const good = Object.entries(described.responses).filter(([status]) => /^2/.test(status))
  return {
    id: described.operationId,
    method,
    path,
    summary: described.summary,
    description: described.description ?? '',
    permission: described['x-permission'] ?? '',
    section: described.tags[0] ?? '',
    parameters: described.parameters.map((one) => resolve<Parameter>(document, one)),
    body: body && { schema: resolve<Schema>(document, body.schema), example: body.example },
    bodyType,
    answersJson: good.some(
      ([status, { content }]) => status === '204' || content?.['application/json'] !== undefined,
    ),
  }
}

/** Whether the role may call an operation; the service decides about each record. */
export function mayCall({ permission }: Operation, scope: Scope): boolean {
  return permission === 'develop' || permission === 'run' || permission === 'platform'
    ? isAllowedIn(scope, permission)
    : true
}

/** The operations of a search by words of address, summary, name and section. */
export function findOperations(operations: readonly Operation[], text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(({ method, path, summary, id, section }) => {
    const all = `${method} ${path} ${summary} ${id} ${section}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
