// A line of CSV as a spreadsheet takes it (RFC 4180). A cell that a spreadsheet would run as a formula begins with
// an apostrophe. Pure.

const FORMULA = /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u

/** Returns the cell in quotes, always: a comma, a quote and a line end then say nothing. */
const cellOf = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`
