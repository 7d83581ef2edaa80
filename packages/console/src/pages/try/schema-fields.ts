// The fields of a form from a JSON schema, and the value that their texts make: a field that is empty is not
// sent. What is no single value is written as JSON. Pure.
import type { ApiDocument, Parameter, Schema } from '../../api/document.ts'
import { type Operation, resolve } from './operations.ts'

export type FieldKind = 'text' | 'number' | 'choice' | 'json'

export interface FormField {
  /** The key among all fields of a form; that of a field in the body begins with `body`. */
  readonly key: string
  readonly name: string
  readonly kind: FieldKind
  /** The values of a choice, as texts. */
  readonly choices: readonly string[]
  readonly isRequired: boolean
  readonly hint: string
  readonly example: string
}

const typesOf = ({ type }: Schema): readonly string[] =>
  (type === undefined ? [] : [type].flat()) as readonly string[]

function kindOf(schema: Schema): Pick<FormField, 'kind' | 'choices'> {
  if (schema.enum) return { kind: 'choice', choices: schema.enum.map(String) }
  const types = typesOf(schema).filter((type) => type !== 'null')
  if (types.length !== 1) return { kind: 'json', choices: [] }
  switch (types[0]) {
    case 'boolean':
      return { kind: 'choice', choices: ['true', 'false'] }
    case 'integer':
    case 'number':
      return { kind: 'number', choices: [] }
    case 'string':
      return { kind: 'text', choices: [] }
    default:
      return { kind: 'json', choices: [] }
  }
}

interface FieldFacts {
  readonly key: string
  readonly isRequired: boolean
  readonly example: unknown
}

function fieldOf(document: ApiDocument, name: string, part: Schema, facts: FieldFacts): FormField {
  const schema = resolve<Schema>(document, part as Schema)
  const kind = kindOf(schema)
  const example = facts.example ?? schema.examples?.[0]
  const description = part.description ?? schema.description
  const hints = [
    facts.isRequired ? 'Required.' : '',
    description ?? '',
    kind.kind === 'json' ? 'As JSON.' : '',
  ]
  return {
    key: facts.key,
    name,
    ...kind,
    isRequired: facts.isRequired,
    hint: hints.filter(Boolean).join(' '),
    example: textOf(example, kind.kind),
  }
}

function textOf(example: unknown, kind: FieldKind): string {
  if (example === undefined || example === null) return ''
  if (typeof example === 'string' && kind !== 'json') return example
  return JSON.stringify(example, undefined, kind === 'json' ? 2 : undefined)
}

/** Whether the form has it is no matter of the person: a condition of a cache is left out. */
export const fieldsOfParameters = (
  document: ApiDocument,
  parameters: readonly Parameter[],
): FormField[] =>
  parameters
    .filter(({ name }) => name !== 'If-None-Match')
    .map(({ name, schema, description, required = false, example }) =>
      fieldOf(
        document,
        name,
        { ...schema, ...(description === undefined ? {} : { description }) },
        { key: name, isRequired: required, example },
      ),
    )

/** A field for each property of the body. */
export const fieldsOfBody = (document: ApiDocument, body: Operation['body']): FormField[] =>
  Object.entries(body?.schema.properties ?? {}).map(([name, part]) =>
    fieldOf(document, name, part, {
      key: `body ${name}`,
      isRequired: body?.schema.required?.includes(name) === true,
      example: (body?.example as Readonly<Record<string, unknown>> | undefined)?.[name],
    }),
  )

export type Texts = Readonly<Record<string, string>>

/** Returns why a text cannot be sent; undefined when it can. */
export function checkText({ kind, isRequired }: FormField, text: string): string | undefined {
  if (text.trim() === '') return isRequired ? 'This field is required.' : undefined
  if (kind === 'number' && !Number.isFinite(Number(text))) return 'This is not a number.'
  if (kind !== 'json') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`
  }
}

function readValue({ kind, choices }: FormField, text: string): unknown {
  if (kind === 'number') return Number(text)
  if (kind === 'json') return JSON.parse(text)
  const isBoolean = kind === 'choice' && choices.join() === 'true,false'
  return isBoolean ? text === 'true' : text
}

/** The body that the texts make; they were checked before. */
export const buildBody = (fields: readonly FormField[], texts: Texts): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(({ key }) => (texts[key] ?? '').trim() !== '')
      .map((field) => [field.name, readValue(field, texts[field.key] ?? '')]),
  )
