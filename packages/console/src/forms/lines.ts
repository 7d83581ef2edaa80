// A list as a person types it in a field of several lines: one value on each, without empty ones. Pure;
// the order is kept.

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
