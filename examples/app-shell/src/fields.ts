// Takes what a handler needs out of the JSON that a page sent, of which nothing is known. Says which
// field is wrong; checks no meaning.
import { Problem } from './problem.ts'

/**
 * `body`: whatever a parser made of the request, or undefined when it made nothing of it.
 * @throws Problem 400 when it is no object, or when the field is no text or an empty one
 */
export function requireText(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The request body is not a JSON object of a sensible size.', name)
  }
  const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
  if (typeof value === 'string' && value.trim() !== '') return value
  throw invalid(`The request has no text "${name}".`, name)
}

const invalid = (cause: string, name: string): Problem =>
  new Problem(400, {
    error: 'invalid_request',
    cause,
    fix: `Send a small JSON object with a text "${name}".`,
  })
