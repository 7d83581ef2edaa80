// The difference of two lists of lines, by their longest common subsequence: what stays, what is
// removed, what is added, in reading order. Pure.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = measureCommon(before, after)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]]
    if (old !== undefined && old === next) {
      lines.push({ kind: 'same', text: old })
      i += 1
      j += 1
    } else if (
      old !== undefined &&
      (next === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))
    ) {
      lines.push({ kind: 'removed', text: old })
      i += 1
    } else if (next !== undefined) {
      lines.push({ kind: 'added', text: next })
      j += 1
    }
  }
  return lines
}

const at = (lengths: readonly (readonly number[])[], i: number, j: number) => lengths[i]?.[j] ?? 0

/** The length of the longest common subsequence of each pair of tails. */
function measureCommon(before: readonly string[], after: readonly string[]): number[][] {
  const lengths: number[][] = before.map(() => [])
  lengths.push([])
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] ?? []
      row[j] =
        before[i] === after[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1))
    }
  }
  return lengths
}
