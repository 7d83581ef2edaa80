// Prints the TypeScript types of the payloads of the backend API, one for each titled schema of the route table:
// `npm run build` writes them for the other packages, `npm run check` again before it checks types. Knows the JSON
// Schema keywords that the schemas of the server use, and no others.
import { writeFileSync } from 'node:fs'
import { listTitledSchemas } from '../packages/server/src/meta/openapi.ts'
import { ROUTES } from '../packages/server/src/routes.ts'

const PAYLOADS = new URL('../packages/protocol/src/payloads.ts', import.meta.url)

const HEADER = `// Written by \`npm run build\` from the schemas of the route table of packages/server: the payloads of the
// backend API, one type for each named schema. Times are RFC 3339 text. Contract §3 and §4.
`

interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
}

/** @throws Error for a schema that it cannot express */
export function writePayloadTypes(): void {
  const schemas = Object.entries(listTitledSchemas(ROUTES)) as [string, Schema][]
  const types = schemas.map(([name, schema]) => buildDeclaration(name, schema))
  writeFileSync(PAYLOADS, [HEADER, ...types].join('\n'))
}

function buildDeclaration(name: string, schema: Schema): string {
  const comment = buildComment(schema)
  return isObject(schema)
    ? `${comment}export interface ${name} ${buildObject(schema)}\n`
    : `${comment}export type ${name} = ${buildUntitled(schema)}\n`
}

const isObject = ({ type, properties }: Schema) => type === 'object' && properties !== undefined

const buildComment = ({ description }: Schema) =>
  description === undefined ? '' : `/** ${description} */\n`

function buildObject({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const comment = schema.title === undefined ? buildComment(schema) : ''
    return `${comment}readonly ${name}${mark}: ${buildType(schema)}`
  })
  return `{\n${members.join('\n')}\n}`
}

const buildType = (schema: Schema): string => schema.title ?? buildUntitled(schema)

function buildUntitled(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const values = schema.enum ?? []
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' | ')
  // The absence comes last, as people write it.
  if (schema.anyOf) return [...schema.anyOf].reverse().map(buildType).join(' | ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) throw new Error(`No type for ${JSON.stringify(schema)}.`)
  return types.map((type) => buildTypeOf(type, schema)).join(' | ')
}

function buildTypeOf(type: string, schema: Schema): string {
  switch (type) {
    case 'object':
      return isObject(schema) ? buildObject(schema) : 'Readonly<Record<string, unknown>>'
    case 'array':
      return schema.items === undefined
        ? 'readonly unknown[]'
        : `readonly (${buildType(schema.items)})[]`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    default:
      throw new Error(`No type for ${JSON.stringify(schema)}.`)
  }
}

if (import.meta.main) writePayloadTypes()
