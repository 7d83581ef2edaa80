// Checks values against JSON schemas. A schema is compiled at first use, so that a
// node starts fast. Knows no route.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

let ajv: Ajv | undefined
const FORBIDDEN_IN_NAME = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u
/** Fillers and the blank of Braille are printed as nothing. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u

const isName = (text: string): boolean => VISIBLE.test(text) && !FORBIDDEN_IN_NAME.test(text)

const compiled = new WeakMap<object, ValidateFunction>()

/** Finds what is wrong with a value; undefined when nothing is. */
export function findSchemaErrors(schema: object, value: unknown): ErrorObject[] | undefined {
  let check = compiled.get(schema)
  if (!check) {
    ajv ??= new Ajv({ allErrors: true, allowUnionTypes: true, strict: false }).addFormat(
      'name',
      isName,
    )
    check = ajv.compile(schema)
    compiled.set(schema, check)
  }
  return check(value) ? undefined : (check.errors ?? [])
}

/** A value that does not fit its schema; leaves as a problem with the fields. */
export class SchemaMismatch extends Error {
  readonly validation: readonly ErrorObject[]
  readonly validationContext: string | undefined

  constructor(validation: readonly ErrorObject[], validationContext?: string) {
    super('the value does not fit its schema')
    this.name = 'SchemaMismatch'
    this.validation = validation
    this.validationContext = validationContext
  }
}

/** The value, as `FromSchema` of its schema. @throws SchemaMismatch */
export function checkedBody<Fields>(schema: object, value: unknown): Fields {
  const errors = findSchemaErrors(schema, value)
  if (errors) throw new SchemaMismatch(errors, 'body')
  return value as Fields
}
