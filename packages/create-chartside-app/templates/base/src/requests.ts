// What a handler asks of a request: the JSON that was sent, of a sensible size, and who sends it.
// Throws problems that say what to change; knows no route. Spec §2.5, §5.6.
import type { LaunchIdentity, Sessions } from '@chartside/app-kit/server'
import { Problem } from './problem.ts'

const MAX_BYTES = 65_536

/** The fields of a JSON object; none when the body is something else. @throws Problem 413 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) {
      throw new Problem(413, 'request_too_large', 'The request is too large.', 'Send less.')
    }
    chunks.push(chunk)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {}
  }
}

/** @throws Problem 400 when the field is missing or no text */
export function requireText(fields: Record<string, unknown>, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  const cause = `The request has no "${name}".`
  throw new Problem(400, `missing_${name}`, cause, `Send JSON with a "${name}".`)
}

/** By the app's own session; never by what the page says. @throws Problem 401 */
export async function requireIdentity(
  sessions: Pick<Sessions, 'authenticate'>,
  request: Request,
): Promise<LaunchIdentity> {
  const identity = await sessions.authenticate(request)
  if (identity) return identity
  const cause = 'This session has ended.'
  throw new Problem(401, 'session_ended', cause, 'Launch the app again.')
}
