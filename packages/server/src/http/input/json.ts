// Reads JSON bodies and refuses what parsers disagree about: a name that comes twice, the name
// __proto__, nesting without an end. JSON.parse lets all of them through. RFC 8259 4.
import { ApiError } from '../../kernel/errors.ts'

/** Deeper than any record, far from the end of a stack. */
const DEEPEST = 32

/** @throws ApiError invalid_json, with what is wrong */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON.')
  }
  refuseAmbiguity(text)
  return value
}

const TOKEN = /[{}[\]]|"(?:[^"\\]|\\.)*"(\s*:)?/g

/** @throws ApiError invalid_json. `text` is valid JSON. */
function refuseAmbiguity(text: string): void {
  // One set of names for each object that is open, and one that stays empty for each array.
  const open: Set<string>[] = []
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(new Set())
      if (open.length > DEEPEST) {
        throw new ApiError('invalid_json', `The body nests deeper than ${DEEPEST} levels.`)
      }
    } else if (token === '}' || token === ']') open.pop()
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string
      const names = open.at(-1)
      if (name === '__proto__') {
        throw new ApiError('invalid_json', 'The body has a field __proto__, which no record has.')
      }
      if (names?.has(name)) {
        const shown = JSON.stringify(name.slice(0, 40))
        throw new ApiError('invalid_json', `The body has the field ${shown} twice in one object.`)
      }
      names?.add(name)
    }
  }
}
