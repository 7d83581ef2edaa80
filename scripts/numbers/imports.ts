// Which file imports which, from source text: static and dynamic imports of relative paths. Says of
// each whether it is for types alone, because types make no cycle when the program runs.
import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** The path relative to the root of the repository. */
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

/** A room, or a file beside the rooms. */
const roomOf = (path: string) => path.split('/')[0] ?? path

/**
 * Arrows between rooms, of types too, that would have to go so that the rooms stand above each other. In each
 * circle of rooms the one with the most arrows into it counts as the lowest.
 */
export function countBackwardArrows(files: readonly SourceFile[], folder: string): number {
  const between = new Map<string, Arrow>()
  for (const { from, to, isType } of listArrows(files)) {
    const [room, other] = [from, to].map((path) => roomOf(path.slice(folder.length)))
    if (room === undefined || other === undefined || room === other) continue
    between.set(`${room} ${other}`, { from: room, to: other, isType })
  }
  let left = [...between.values()]
  let backward = 0
  for (;;) {
    const [circle] = findCycles(left)
    if (circle === undefined) return backward
    const inside = left.filter(({ from, to }) => circle.includes(from) && circle.includes(to))
    const countInto = (room: string) => inside.filter(({ to }) => to === room).length
    const [lowest] = circle.toSorted((a, b) => countInto(b) - countInto(a))
    const out = inside.filter(({ from }) => from === lowest)
    backward += out.length
    left = left.filter((arrow) => !out.includes(arrow))
  }
}
