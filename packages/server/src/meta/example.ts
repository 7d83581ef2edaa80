// Builds one example of a payload from its schema, from the examples of its parts and from default
// values. Pure. A test validates every example with its schema, and the authorization tests send
// them.
import type { JSONSchema } from 'json-schema-to-ts'

export function buildExample(schema: JSONSchema): unknown {
  if (typeof schema === 'boolean') return null
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  // A value is a better example than null, which comes first by convention.
  const choice = (schema.anyOf ?? schema.oneOf)?.at(-1)
  if (choice !== undefined) return buildExample(choice)
  const [type] = [schema.type ?? 'null'].flat()
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [name, buildExample(part)]),
      )
    case 'array':
      return schema.items === undefined ? [] : [schema.items].flat().map(buildExample)
    case 'string':
      return schema.format === 'date-time' ? '2026-03-01T12:00:00.000Z' : 'text'
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return null
  }
}
