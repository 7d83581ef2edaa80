// Takes the fields that a handler needs from the JSON body of a request. The error names the field.
// Does not check what a value means.
import { Problem } from './problem.ts'

/**
 * Takes a text from the body of a request. `body` is the result of `readJson`, or of another JSON
 * parser; undefined when there is no JSON.
 * @throws Problem 400 `invalid_request`: the body is not an object, or the field is not a text or is empty
 * @example const code = requireText(await readJson(request), 'code')
 */
export function requireText(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('The request body is not a JSON object of a sensible size.', name)
  }
  const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
  if (typeof value === 'string' && value.trim() !== '') return value
  throw invalidRequest(`The request has no text "${name}".`, name)
}

const invalidRequest = (cause: string, name: string): Problem =>
  new Problem(400, {
    error: 'invalid_request',
    cause,
    fix: `Send a small JSON object with a text "${name}".`,
  })
