// A plain table for a terminal: a heading, columns as wide as their widest cell, numbers to the
// right. Pure; writes nothing.

export type Cell = string | number

export function formatTable(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const widths = heading.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => String(row[i] ?? '').length)),
  )
  const isNumber = heading.map((_, i) => rows.some((row) => typeof row[i] === 'number'))
  const line = (cells: readonly Cell[]) =>
    widths
      .map((width, i) => {
        const text = String(cells[i] ?? '')
        return isNumber[i] ? text.padStart(width) : text.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(heading), ...rows.map(line)].join('\n')
}

/** A moment as operators compare it with their logs: UTC, to the second. */
export const formatTime = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, 19)
