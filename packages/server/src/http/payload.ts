// The parts of payload schemas: closed objects, pages, identifiers, times. Each part has an example, so
// that the reference shows a realistic payload.

export const text = { type: 'string' } as const
/** Describes the text of a request, with its maximum length. */
export const atMost = <N extends number>(maxLength: N) => ({ type: 'string', maxLength }) as const

export const flag = { type: 'boolean', examples: [true] } as const
export const integer = { type: 'integer' } as const
export const seconds = { type: 'integer', minimum: 1, examples: [900] } as const
export const number = { type: 'integer', minimum: 1, examples: [3] } as const
export const time = { type: 'string', format: 'date-time' } as const
export const optionalTime = { type: ['string', 'null'], format: 'date-time' } as const

/**
 * A name that people read: without control, direction and invisible characters but the joiners of scripts, and
 * with a visible one. Security V34.
 */
export const nameLike = <E extends string>(example: E) =>
  ({
    type: 'string',
    format: 'name',
    minLength: 1,
    maxLength: 200,
    examples: [example],
  }) as const

/** Describes a text of which this is an example. */
export const like = <E extends string>(example: E) =>
  ({ type: 'string', examples: [example] }) as const

export const textsLike = (example: string) => ({ type: 'array', items: like(example) }) as const

/** The version of a program, as it reports itself. */
export const version = {
  type: 'string',
  maxLength: 64,
  pattern: '^[\\w .+()/:-]*$',
  examples: ['1.0.0'],
} as const

/** The reason, in the words of the caller. */
export const reason = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  examples: ['A leaked secret.'],
} as const

/** The part of an identifier after its prefix, as examples show it. */
const EXAMPLE = '01jnye6xw8q2v5n0m4r7ta'

/** The identifier of a record. */
export const id = (prefix: string) =>
  ({
    type: 'string',
    pattern: `^${prefix}_[0-9a-z]{22}$`,
    examples: [`${prefix}_${EXAMPLE}`],
  }) as const

/** A bearer value: shown once, kept as a hash. */
export const bearer = (prefix: string) =>
  ({
    type: 'string',
    pattern: `^${prefix}_[A-Za-z0-9_-]{43,}$`,
    examples: [
      `${prefix}_${EXAMPLE}${'Zm9yLXRoaXMtZXhhbXBsZS1vbmx5LW5vdC1hLXNlY3JldA'.slice(0, 43)}`,
    ],
  }) as const

type Fields = Readonly<Record<string, object>>

/** An object with exactly these fields; the optional ones may be missing. */
export function closed<const F extends Fields, const O extends Fields = Record<never, never>>(
  fields: F,
  optional?: O,
) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields) as (keyof F & string)[],
    properties: { ...fields, ...optional } as F & O,
  } as const
}

/** The schema under the name that the OpenAPI document and the types of the protocol package use. */
export const titled = <const T extends string, const S extends object>(title: T, schema: S) =>
  ({ title, ...schema }) as const

export const listOf = <const S extends object>(items: S) => ({ type: 'array', items }) as const

export const oneOf = <const V extends readonly string[]>(...values: V) =>
  ({ type: 'string', enum: values }) as const

export const orNull = <const S extends object>(schema: S) =>
  ({ anyOf: [{ type: 'null' }, schema] }) as const

/** Describes one page of a list. */
export const pageOf = <const S extends object>(items: S) =>
  closed({ items: listOf(items), nextCursor: { type: ['string', 'null'] } })

const HIDDEN = {
  const: true,
  description: 'Only of an empty list: your role does not show what others may see.',
} as const

/** Describes one page of a list that says when it is empty because of the caller's role. */
export const hidingPageOf = <const S extends object>(items: S) =>
  closed({ items: listOf(items), nextCursor: { type: ['string', 'null'] } }, { hidden: HIDDEN })

/** A record has these names beside its identifier. */
export const named = (prefix: string, example: string) =>
  closed({ id: id(prefix), name: like(example) })
export const practice = named('acc', 'Lakeside Family Practice')
export const icon = like('https://notes.example/icon.svg')
export const ehrType = like('meadow')
export const deviceId = like('exam-room-2')
export const person = {
  email: like('amara.okafor@lakeside.example'),
  name: like('Dr. Amara Okafor'),
}
