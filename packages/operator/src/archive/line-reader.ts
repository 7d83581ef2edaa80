// Reads a file of lines, compressed or not, byte for byte, and the SHA-256 of what is on the disk. Knows no
// format of a line.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

interface LineFile {
  readonly lines: AsyncGenerator<string>
  /** Returns the SHA-256 of the bytes of the file; call it when all lines are read. */
  digest(): string
}

/** The lines between line feeds: a carriage return belongs to its line. */
export function openLines(path: string): LineFile {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  source.on('data', (chunk) => hash.update(chunk))
  if (!path.includes('.gz')) return { lines: linesOf(source), digest: () => hash.digest('hex') }
  const unpacked = createGunzip()
  source.on('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked)
  return { lines: linesOf(unpacked), digest: () => hash.digest('hex') }
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
