// Verifies an exported audit trail in the page, with the check that `chartside audit verify` has too. The browser
// computes the hashes; nothing is asked of the service. Stops at the first problem. docs/operate/audit.md.
import { type ChainHead, TrailCheck } from '@chartside/protocol/audit-trail'

export interface TrailResult {
  readonly events: number
  /** The fault, in words; undefined for a trail that is whole. */
  readonly problem: string | undefined
  /** The end of the chain; keep it to see later that nothing was cut off. */
  readonly head: ChainHead | undefined
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  )
  const binary = String.fromCharCode(...bytes)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const PROGRESS_EVERY = 500

/** Reads the lines of an export one by one; `onProgress` gets the number of lines from time to time. */
export async function verifyTrail(
  lines: AsyncIterable<string>,
  onProgress: (lines: number) => void = () => {},
): Promise<TrailResult> {
  const check = new TrailCheck()
  let count = 0
  for await (const line of lines) {
    const steps = check.take(line)
    for (let step = steps.next(); !step.done; ) step = steps.next(await sha256(step.value))
    if (check.problems.length > 0) break
    count += 1
    if (count % PROGRESS_EVERY === 0) onProgress(count)
  }
  const { events, head, problems } = check.finish()
  const [problem] = problems
  return { events, problem: problem && sentence(problem), head: problem ? undefined : head }
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The lines of a response, between line feeds: a carriage return belongs to its line. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (done) break
  }
  if (rest !== '') yield rest
}
