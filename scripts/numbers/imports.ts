// Which file imports which, from source text: static and dynamic imports of relative paths. Says of
// each whether it is for types alone, because types make no cycle when the program runs.
import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly text: string
}

export interface Arrow {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g

export function listArrows(files: readonly SourceFile[]): Arrow[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(IMPORT)].map(([, type, target, dynamic]) => ({
      from: path,
      to: normalize(join(dirname(path), target ?? dynamic ?? '')),
      isType: type !== undefined,
    })),
  )
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
export function findCycles(arrows: readonly Arrow[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.get(file) ?? 0)
    stack.push(file)
    for (const other of next.get(file) ?? []) {
      if (!index.has(other)) visit(other)
      if (stack.includes(other)) {
        low.set(file, Math.min(low.get(file) ?? 0, low.get(other) ?? 0))
      }
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1 || next.get(file)?.includes(file)) cycles.push(group)
  }

  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return cycles
}
