// Parses JSON bodies and refuses what JSON.parse accepts and other parsers read differently: a repeated
// name, the name __proto__, deep nesting. RFC 8259 4.
import { scanJsonNames } from '@chartside/protocol/json-names'
import { ApiError } from '../../kernel/errors.ts'

/** The depth is more than that of any record, and far below the limit of a stack. */
const MAX_DEPTH = 32

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

/** @throws ApiError invalid_json. `text` is valid JSON. */
function refuseAmbiguity(text: string): void {
  scanJsonNames(text, {
    onOpen: (depth) => {
      if (depth <= MAX_DEPTH) return
      throw new ApiError('invalid_json', `The body nests deeper than ${MAX_DEPTH} levels.`)
    },
    onName: (name, _depth, isRepeated) => {
      if (name === '__proto__') {
        throw new ApiError('invalid_json', 'The body has a field __proto__, which no record has.')
      }
      if (!isRepeated) return
      // Not in the text, which is logged: the caller chose the name, and it may be a secret. [V11]
      throw new ApiError('invalid_json', 'The body has a field twice in one object.', [
        { field: name.slice(0, 40), message: 'This name comes twice in one object.' },
      ])
    },
  })
}
