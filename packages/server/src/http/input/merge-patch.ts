// JSON Merge Patch (RFC 7396): what a patch makes of a record, and which patches a record's schema
// allows. The caller checks the result against the whole schema. Pure.
import type { JSONSchema } from 'json-schema-to-ts'

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7396 2: objects merge, null removes, everything else replaces. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = applyMergePatch(merged[name], value)
  }
  return merged
}

/** The schema of the patches of a record: every field may be absent, and null where it may go. */
export function buildPatchSchema(schema: JSONSchema): JSONSchema {
  if (typeof schema === 'boolean' || !schema.properties) return schema
  const { required = [], properties, ...rest } = schema
  const parts = Object.entries(properties).map(([name, part]) => {
    const patch = buildPatchSchema(part)
    return [name, required.includes(name) ? patch : orNull(patch)] as const
  })
  return { ...rest, properties: Object.fromEntries(parts) }
}

function orNull(schema: JSONSchema): JSONSchema {
  if (typeof schema === 'boolean') return schema
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  return {
    ...schema,
    ...(schema.type === undefined
      ? {}
      : { type: [...new Set([schema.type, 'null' as const].flat())] }),
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  }
}
