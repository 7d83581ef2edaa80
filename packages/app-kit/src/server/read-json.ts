// Reads the JSON object that a page sent to the app's own server. Any other body is undefined, so
// that no handler answers 500 for it. Checks no field.
import { isRecord, readText } from './read-text.ts'

export interface ReadJsonOptions {
  /** Default 16,384. */
  readonly maxBytes?: number
}

/**
 * Reads the JSON object of a request; undefined for any other body: empty, another JSON value, no JSON, no
 * UTF-8, larger than `maxBytes` (default 16,384) or cut off. Answer 400 then.
 * @throws TypeError when the body was read before, which is a mistake of the app
 * @example const { code } = (await readJson(request)) ?? {}
 */
export async function readJson(
  request: Request,
  { maxBytes = 16_384 }: ReadJsonOptions = {},
): Promise<Record<string, unknown> | undefined> {
  if (request.bodyUsed) throw new TypeError('readJson: the body was read before.')
  // JSON is UTF-8 whatever the header says (RFC 8259 8.1).
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const value: unknown = JSON.parse((await readText(request, maxBytes, decoder)) ?? '')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
