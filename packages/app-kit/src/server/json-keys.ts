// Finds a name that stands twice in one JSON object. `JSON.parse` keeps the last of them, another
// parser the first, and a token that two readers read differently is refused. Pure.
// RFC 8725 2.6 and 3.10 (JSON parsing differences); RFC 7519 4; security R01.

/** One token of JSON: a string, or a sign that opens, closes or divides. */
const PIECE = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** Whether any object in a text that `JSON.parse` accepts holds one name twice. */
export function hasDuplicateKeys(json: string): boolean {
  /** The names seen in each open object; null for an open array. */
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [piece] of json.matchAll(PIECE)) {
    if (piece === '{') open.push(new Set())
    else if (piece === '[') open.push(null)
    else if (piece === '}' || piece === ']') open.pop()
    else if (piece === ':') {
      // Escapes are read, so that "\u0061ud" counts as "aud".
      const name: string = JSON.parse(last)
      const names = open.at(-1)
      if (names?.has(name)) return true
      names?.add(name)
    }
    last = piece
  }
  return false
}
