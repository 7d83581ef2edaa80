// Scans the member names of a JSON text, for what JSON.parse hides: a name that an object repeats
// (the last value wins there, the first one in other parsers) and the depth of nesting. It parses
// no value and decides nothing: callers refuse what they do not accept. No dependency; linear time.
// RFC 8259 4; RFC 7519 4; RFC 8725 2.6 and 3.10; security R01, T05.

export interface JsonVisitor {
  /** `depth` is 1 for a member of the outermost object. */
  onName(name: string, depth: number, isRepeated: boolean): void
  /** An object or array begins; `depth` is 1 for the outermost one. */
  onOpen?(depth: number): void
}

const QUOTE = 0x22
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** `json` must be a text that JSON.parse accepts. A visitor that throws ends the scan. */
export function scanJsonNames(json: string, visitor: JsonVisitor): void {
  /** The names of each open object; null for an open array. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      const end = findStringEnd(json, at)
      const names = open.at(-1)
      if (names && isName(json, end)) {
        const name = readString(json, at, end)
        const isRepeated = names.has(name)
        names.add(name)
        visitor.onName(name, open.length, isRepeated)
      }
      at = end
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open.push(code === OPEN_BRACE ? new Set() : null)
      visitor.onOpen?.(open.length)
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop()
  }
}

/** Whether any object in a text that JSON.parse accepts repeats a name. */
export function hasRepeatedName(json: string): boolean {
  let isFound = false
  scanJsonNames(json, {
    onName: (_name, _depth, isRepeated) => {
      isFound ||= isRepeated
    },
  })
  return isFound
}

/** The closing quote of the string that opens at `start`: the first one that is not escaped. */
function findStringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
}

/** A colon follows the closing quote, after white space if any. */
function isName(json: string, end: number): boolean {
  let at = end + 1
  while (json.charCodeAt(at) <= 0x20) at += 1
  return json.charCodeAt(at) === COLON
}

/** Escapes are decoded, so that "\u0061ud" equals "aud". */
function readString(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end)
  return text.includes('\\') ? JSON.parse(json.slice(start, end + 1)) : text
}
