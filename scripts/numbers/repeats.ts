// Repeated code: runs of six or more lines that stand in two places. Blank lines, comments, imports
// and lines of punctuation alone do not count, and white space is folded.
import type { SourceFile } from './imports.ts'

const RUN_LINES = 6

const isCode = (line: string) =>
  /[A-Za-z0-9]/.test(line) && !/^(\/\/|\/\*|\*|import |export \* |\} from )/.test(line)

/** Each pair of places once, however long the run that they share. */
export function countRepeats(files: readonly SourceFile[]): number {
  const places = new Map<string, { path: string; at: number }[]>()
  for (const { path, text } of files) {
    const lines = text
      .split('\n')
      .map((line) => line.trim().replace(/\s+/g, ' '))
      .filter(isCode)
    for (let at = 0; at + RUN_LINES <= lines.length; at++) {
      const run = lines.slice(at, at + RUN_LINES).join('\n')
      places.set(run, [...(places.get(run) ?? []), { path, at }])
    }
  }
  // A longer run gives several windows one line apart: only the first of them counts.
  const pairs = new Set<string>()
  let count = 0
  for (const found of places.values()) {
    for (const [i, one] of found.entries()) {
      for (const other of found.slice(i + 1)) {
        const key = (shift: number) =>
          `${one.path}:${one.at + shift} ${other.path}:${other.at + shift}`
        if (!pairs.has(key(-1))) count += 1
        pairs.add(key(0))
      }
    }
  }
  return count
}
