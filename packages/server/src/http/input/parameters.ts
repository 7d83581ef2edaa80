// Reads OAuth parameters as they came, from a query, a form or a JSON body, and finds what is wrong
// with them: doubled, too long, of the wrong type. Empty and JSON null count as absent (RFC 6749 3.1). Never
// guesses which of two values was meant. Pure.
import { scanJsonNames } from '@chartside/protocol/json-names'
import { OAuthError } from '../../kernel/errors.ts'

/** Every value that was sent under a name, in order, not yet checked. */
export type RawParameters = ReadonlyMap<string, readonly unknown[]>

export const FORM = 'application/x-www-form-urlencoded'

/** What follows the first question mark of a request target, still encoded; '' without one. */
export function queryOf(url = ''): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question + 1)
}

export function parametersFromForm(text: string): RawParameters {
  const found = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = found.get(name)
    if (values) values.push(value)
    else found.set(name, [value])
  }
  return found
}

/** @throws OAuthError invalid_request when the text is not a JSON object. */
export function parametersFromJson(text: string): RawParameters {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const isForm = /^[A-Za-z_]+=/.test(text)
    throw new OAuthError(
      'invalid_request',
      isForm
        ? `The body is a form, but its content type is application/json. Send the content type ${FORM}.`
        : 'The body is not valid JSON.',
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OAuthError('invalid_request', 'The body must be a JSON object.')
  }
  const found = new Map<string, unknown[]>()
  for (const [name, member] of Object.entries(value)) found.set(name, [member])
  // JSON.parse keeps only the last value of a repeated name.
  scanJsonNames(text, {
    onName: (name, depth, isRepeated) => {
      if (isRepeated && depth === 1) found.get(name)?.push(undefined)
    },
  })
  return found
}

/** The parameters of a body in either form. @throws OAuthError invalid_request */
export function parametersFromBody(contentType: string, body: string): RawParameters {
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  if (type === FORM) {
    // As a form, JSON is one parameter with a strange name, and what was sent would be called missing.
    if (!/^\s*\{/.test(body)) return parametersFromForm(body)
    throw new OAuthError(
      'invalid_request',
      `The body is JSON, but its content type is ${FORM}. Send the content type application/json.`,
    )
  }
  if (type === 'application/json') return parametersFromJson(body)
  throw new OAuthError(
    'invalid_request',
    `Send the body as application/json or ${FORM}; this request has ${COMMON_TYPES[type ?? ''] ?? 'another content type'}.`,
  )
}

/** Libraries add these parameters without being asked. */
const COMMON_TYPES: Readonly<Record<string, string>> = {
  '': 'no content type',
  'text/plain': 'text/plain, which fetch sends for a text without a content type',
  'multipart/form-data': 'multipart/form-data, which fetch sends for FormData: use URLSearchParams',
}

const NEVER_IN_URL = [
  ...['client_secret', 'client_assertion', 'code', 'code_verifier', 'token', 'access_token'],
] as const

/** Refuses secrets: URLs end up in logs and histories. RFC 6749 2.3.1, RFC 6750 2.3. @throws OAuthError */
export function refuseSecretsInUrl(query: string): void {
  if (query === '') return
  const sent = parametersFromForm(query)
  const name = NEVER_IN_URL.find((secret) => sent.has(secret))
  if (name) {
    throw new OAuthError('invalid_request', `Never send ${name} in the URL; send it in the body.`)
  }
}

interface ParameterSchema {
  readonly properties: Readonly<
    Record<string, { readonly type: 'string'; readonly maxLength: number }>
  >
}

export interface ParsedParameters<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>
  /** The name of each bad parameter and what is wrong with it, as a sentence. */
  readonly problems: ReadonlyMap<string, string>
}

/** Reads the parameters that the schema names; unknown ones are ignored (RFC 6749 3.1). */
export function parseParameters<S extends ParameterSchema>(
  schema: S,
  raw: RawParameters,
): ParsedParameters<keyof S['properties'] & string> {
  const values: Partial<Record<string, string>> = {}
  const problems = new Map<string, string>()
  const { properties } = schema
  for (const name in properties) {
    const maxLength = properties[name]?.maxLength ?? 0
    const sent = raw.get(name) ?? []
    const value = sent[0]
    if (sent.length > 1) problems.set(name, `The parameter ${name} was sent more than once.`)
    else if (value === undefined || value === null || value === '') continue
    else if (typeof value !== 'string')
      problems.set(name, `The parameter ${name} must be a string.`)
    else if (value.includes('\0')) {
      // No database keeps it as text, and no value of ours has it.
      problems.set(name, `The parameter ${name} has a NUL character.`)
    } else if (value.length > maxLength) {
      problems.set(name, `The parameter ${name} is longer than ${maxLength} characters.`)
    } else values[name] = value
  }
  return { values: values as Partial<Record<keyof S['properties'] & string, string>>, problems }
}
