// Whether archives and exports together are whole trails: each file checks by itself, and of each account
// every part begins where the part before it ends, from the first event on. Reads no file and no database.
import { type ChainHead, chainRoot, ExportCheck } from '@chartside/server/operator/audit'

/** The part of a trail that a file has. */
export interface Section {
  readonly file: string
  readonly accountId: string
  readonly begin: ChainHead
  readonly end: ChainHead
}

export interface CheckedFile {
  readonly sections: readonly Section[]
  readonly events: number
  readonly problems: readonly string[]
}

/** The last line of an archive. */
export const formatArchiveEnd = (trails: number, events: number) =>
  JSON.stringify({ archive: { trails, events } })

/** Further problems of one file are not listed. */
const MAX_PROBLEMS = 20

/** Checks one export, or an archive: sections, and a last line that says how many. */
export async function checkFile(
  file: string,
  lines: AsyncIterable<string>,
  onEvents: (events: number) => void = () => {},
): Promise<CheckedFile> {
  const sections: Section[] = []
  const problems: string[] = []
  let events = 0
  let check: ExportCheck | undefined
  let archiveEnd: string | undefined
  let number = 0
  let first = 0
  const close = () => {
    if (!check) return
    const { accountId, begin, head, events: count, problems: found } = check.finish()
    problems.push(...found.map((text) => `${describe(accountId, first)}: ${text}`))
    events += count
    onEvents(events)
    if (accountId === undefined) return
    const root = { seq: 0, hash: chainRoot(accountId) }
    sections.push({ file, accountId, begin: begin ?? root, end: head ?? root })
  }
  for await (const line of lines) {
    number += 1
    if (archiveEnd !== undefined)
      problems.push(`line ${number} stands after the end of the archive`)
    if (line.startsWith('{"archive":')) {
      archiveEnd = line
      continue
    }
    if (!check || line.startsWith('{"begin":')) {
      close()
      check = new ExportCheck()
      first = number
    }
    check.take(line)
  }
  close()
  const isArchive = archiveEnd !== undefined || file.endsWith('.jsonl.gz')
  if (isArchive && archiveEnd !== formatArchiveEnd(sections.length, events)) {
    problems.push(
      archiveEnd === undefined
        ? 'the end of the archive is missing: the file was cut'
        : `the archive says that it has other trails or events than ${sections.length} and ${events}`,
    )
  }
  return { sections, events, problems: problems.slice(0, MAX_PROBLEMS) }
}

const describe = (accountId: string | undefined, line: number) =>
  `${accountId ?? 'a trail'}, from line ${line} on`

interface WholeTrail {
  readonly accountId: string
  readonly events: number
  readonly begin: ChainHead
  readonly end: ChainHead
}

/** Puts the sections of several files together. `isFromStart`: a trail must have its first event. */
export function joinSections(
  sections: readonly Section[],
  { isFromStart }: { readonly isFromStart: boolean },
): { trails: WholeTrail[]; problems: string[] } {
  const problems: string[] = []
  const trails = [...Map.groupBy(sections, ({ accountId }) => accountId)].map(
    ([accountId, ofAccount]): WholeTrail => {
      const sorted = ofAccount.toSorted(
        (a, b) => a.begin.seq - b.begin.seq || a.end.seq - b.end.seq,
      )
      const [first] = sorted
      const root = { seq: 0, hash: chainRoot(accountId) }
      let end = isFromStart || first?.begin.seq === 0 ? root : (first?.begin ?? root)
      const begin = end
      for (const section of sorted) {
        const problem = findBreak(end, section)
        if (problem) problems.push(`${accountId}: ${problem}`)
        if (section.end.seq >= end.seq) end = section.end
      }
      return { accountId, begin, end, events: end.seq - begin.seq }
    },
  )
  return { trails, problems }
}

function findBreak(end: ChainHead, { file, begin }: Section): string | undefined {
  if (begin.seq > end.seq) {
    return `the events ${end.seq + 1} to ${begin.seq} are missing, before ${file}`
  }
  if (begin.seq < end.seq) {
    return `the events ${begin.seq + 1} to ${end.seq} are there twice, the second time in ${file}`
  }
  return begin.hash === end.hash ? undefined : `${file} continues another trail`
}
