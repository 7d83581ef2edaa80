// Text for a terminal: control characters are shown, not sent. An app name, a message of an app or a
// path can hold escape sequences that clear the screen, rename the window or hide a line. The output of
// the service, of the command line and of the sandbox goes through this one function. Pure. Security V11.

/** The characters are C0 without tab and line feed, DEL, C1, and those that turn the direction of a line. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Keeps lines and tabs; every other control character leaves as `\xNN` or `\uNNNN`. */
export const toTerminalText = (text: string): string =>
  text.replace(UNSAFE, (sign) => (sign === '\n' || sign === '\t' ? sign : escapeOf(sign)))

/** The same for text that must stay in its line, such as a name. */
export const toTerminalLine = (text: string): string =>
  text.replace(UNSAFE, (sign) => (sign === '\t' ? ' ' : sign === '\n' ? '\\n' : escapeOf(sign)))

function escapeOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  return code < 256
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}
