// Verifies an exported audit trail in the page: each event has the next number, and its hash covers the hash
// before it and all that it says. The browser computes; nothing is asked of the service. The same rules as
// `chartside audit verify`; a test compares both. docs/operate/audit.md.

export interface TrailCheck {
  readonly events: number
  /** Where the chain breaks, in words; undefined while it holds. */
  readonly problem: string | undefined
  /** The end of the chain; keep it to see later that nothing was cut off. */
  readonly head: { readonly seq: number; readonly hash: string } | undefined
}

interface Line {
  readonly id: string
  readonly at: string
  readonly accountId: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly launchId: string | null
  readonly ip: string
  readonly outcome: string
  readonly detail: Readonly<Record<string, string>>
  readonly seq: number
  readonly hash: string
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  )
  const binary = String.fromCharCode(...bytes)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The text that is hashed: the members in this order. */
function canonical({
  id,
  at,
  accountId,
  actor,
  action,
  target,
  launchId,
  ip,
  outcome,
  detail,
}: Line) {
  const sorted = Object.fromEntries(Object.entries(detail).sort(([a], [b]) => (a < b ? -1 : 1)))
  const fields = { id, at: Date.parse(at), accountId, actor, action, target, launchId, ip, outcome }
  return JSON.stringify({ ...fields, detail: sorted })
}

/** Reads the lines of an export one by one; `onProgress` gets the number of events from time to time. */
export async function verifyTrail(
  lines: AsyncIterable<string>,
  onProgress: (events: number) => void = () => {},
): Promise<TrailCheck> {
  let previous: string | undefined
  let accountId: string | undefined
  let seq = 0
  /** The events up to this number are in an archive. */
  let archived = 0
  let end: TrailCheck['head']
  const broken = (problem: string): TrailCheck => ({
    events: seq - archived,
    problem,
    head: undefined,
  })
  for await (const text of lines) {
    if (end) return broken('Something stands after the end of the trail.')
    const line = parse(text)
    if (!line) return broken(`Line ${seq + 1} is no event.`)
    if ('begin' in line) {
      if (accountId !== undefined) return broken('A trail begins within the trail.')
      accountId = line.begin.accountId
      previous = line.begin.hash
      seq = line.begin.seq
      archived = seq
      continue
    }
    if ('head' in line) {
      const { seq: last, hash } = line.head
      end = { seq: last, hash }
      continue
    }
    accountId ??= line.accountId
    previous ??= await sha256(`chartside audit ${line.accountId}`)
    if (line.accountId !== accountId) return broken(`Event ${seq + 1} is of another account.`)
    if (line.seq !== seq + 1) return broken(`Event ${line.seq} stands where ${seq + 1} belongs.`)
    const hash = await sha256(`${previous}\n${line.seq}\n${canonical(line)}`)
    if (hash !== line.hash)
      return broken(`Event ${line.seq} was changed, or the one before it was.`)
    previous = hash
    seq = line.seq
    if (seq % 500 === 0) onProgress(seq)
  }
  if (!end) return broken('The end of the trail is missing: the export was cut.')
  const isSameEnd = end.seq === seq && (previous === undefined || end.hash === previous)
  if (!isSameEnd) return broken(`The trail ends at ${seq}, not at ${end.seq}.`)
  return { events: seq - archived, problem: undefined, head: end }
}

interface End {
  readonly seq: number
  readonly hash: string
}

function parse(
  text: string,
): Line | { readonly head: End } | { readonly begin: End & { accountId: string } } | undefined {
  try {
    const line = JSON.parse(text)
    const isHead = typeof line?.head?.seq === 'number' || typeof line?.begin?.seq === 'number'
    const isEvent = typeof line?.seq === 'number' && typeof line.detail === 'object'
    return isHead || (isEvent && line.detail !== null) ? line : undefined
  } catch {
    return undefined
  }
}

/** The lines of a response, without its line ends. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    rest += decoder.decode(value, { stream: !done })
    const lines = rest.split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    yield* lines.filter((line) => line !== '')
    if (done) return
  }
}
