// What a person typed, or a folder is called, for their terminal: control characters and those that turn
// the direction of a line are shown in place of being sent. Pure.

const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Returns the text with its line feeds and tabs. */
export const toTerminalText = (text: string): string =>
  text.replace(UNSAFE, (sign) =>
    sign === '\n' || sign === '\t'
      ? sign
      : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
