// Searches for secrets in what a service leaves behind: each file of a data directory, byte by byte,
// and its output. Knows the encodings of a value: plain, its secret part, base64, URL encoding,
// hexadecimal. Reads only. Security C14, C15.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Trace {
  readonly where: string
  readonly bytes: Buffer
}

/** Every file below a directory, and the given texts. */
export function collectTraces(directory: string, texts: Readonly<Record<string, string>>): Trace[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      where: entry.name,
      bytes: readFileSync(join(entry.parentPath, entry.name)),
    }))
  const printed = Object.entries(texts).map(([where, text]) => ({
    where,
    bytes: Buffer.from(text),
  }))
  return [...files, ...printed]
}

/** The places that hold a value in one of its shapes; for a line of text, the line without it. */
export function findIn(
  traces: readonly Trace[],
  secrets: ReadonlyMap<string, string | Buffer>,
): string[] {
  const found: string[] = []
  for (const [name, value] of secrets) {
    for (const [shape, bytes] of shapesOf(value)) {
      for (const trace of traces) {
        const at = trace.bytes.indexOf(bytes)
        if (at >= 0) found.push(`${name} (${shape}) in ${trace.where}${context(trace, at, bytes)}`)
      }
    }
  }
  return found
}

/** What surrounds a find in text, so that a failing test shows where to look and not the secret. */
function context({ where, bytes }: Trace, at: number, secret: Buffer): string {
  if (/\.(db|db-wal|db-shm|key)$/.test(where)) return ''
  const lineStart = bytes.lastIndexOf(10, at) + 1
  const lineEnd = bytes.indexOf(10, at + secret.length)
  const line = bytes.subarray(lineStart, lineEnd < 0 ? bytes.length : lineEnd).toString()
  const shown = line.replaceAll(secret.toString(), '<this one>').replaceAll(BEARER, '<another>')
  return `: ${shown.slice(0, 400)}`
}

const BEARER = /(?:lnch|code|at|cs|st)_[0-9a-z]{22}[\w-]{43}/g
const SECRET_PART = /^(?:lnch|code|at|cs|st)_[0-9a-z]{22}([\w-]{43})$/

function shapesOf(value: string | Buffer): [string, Buffer][] {
  const bytes = Buffer.from(value)
  const shapes: [string, Buffer][] = [
    ['as it is', bytes],
    ['hexadecimal', Buffer.from(bytes.toString('hex'))],
    ['base64', Buffer.from(withoutEdges(bytes.toString('base64')))],
    ['base64url', Buffer.from(withoutEdges(bytes.toString('base64url')))],
  ]
  if (typeof value !== 'string') return shapes
  const encoded = encodeURIComponent(value)
  if (encoded !== value) shapes.push(['percent-encoded', Buffer.from(encoded)])
  const [, secretPart] = SECRET_PART.exec(value) ?? []
  if (secretPart !== undefined) shapes.push(['secret part', Buffer.from(secretPart)])
  // A JWT without its signature is still every claim in it.
  const [, payload, signature] = value.split('.')
  if (payload !== undefined && signature !== undefined && value.startsWith('eyJ')) {
    shapes.push(['JWT payload', Buffer.from(payload)], ['JWT signature', Buffer.from(signature)])
  }
  return shapes
}

/** The last characters depend on what follows when the value sits inside a longer text. */
const withoutEdges = (base64: string) => base64.replace(/=+$/, '').slice(0, -2)
