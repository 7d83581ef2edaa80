// Text of a service, or of an error about it, for a terminal: what would steer the terminal, or turn the
// direction of a line, is shown in place of being sent. Pure.

const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const escapeOf = (sign: string) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** Returns the text in one line. */
export const printable = (text: string): string => text.replace(UNSAFE, escapeOf)

/** Returns the text with its line feeds and tabs. */
export const printableLines = (text: string): string =>
  text.replace(UNSAFE, (sign) => (sign === '\n' || sign === '\t' ? sign : escapeOf(sign)))
