// Packs a backup into a smaller file, or into one that only the holder of a key can read: Zstandard
// (RFC 8878) inside age (age-encryption.org/v1), so `age -d | zstd -d` reads it without this program.
// Which of the two a file has, its first bytes say. Owns no name and no row.
import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline as connect, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { CopyFailed } from './endpoint.ts'

/** The way in which a backup is packed. With both it is compressed, and then encrypted. */
export interface Packing {
  readonly isCompressed: boolean
  /** The public keys of age, such as `age1…`; the identity of any one of them reads the file. */
  readonly recipients: readonly string[]
}

/** Builds the ending of the name of the file, in the order of the steps. */
export const suffixOf = ({ isCompressed, recipients }: Packing) =>
  `${isCompressed ? '.zst' : ''}${recipients.length > 0 ? '.age' : ''}`

const AGE = Buffer.from('age-encryption.org/v1\n')
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const CHUNK_BYTES = 1 << 18
/** With this option Zstandard checks the data; without it some changed bytes unpack to other rows. */
const WITH_CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** The error of a connected stream reaches its reader. */
const toReader = () => {}
const readChunks = (path: string) => createReadStream(path, { highWaterMark: CHUNK_BYTES })
const fromWeb = (stream: unknown) => Readable.fromWeb(stream as ReadableStream<Uint8Array>)
const toWeb = (stream: Readable) =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>

/**
 * Gives the step that packs one file into another one.
 * @throws CopyFailed for a recipient that is no public key, without its value: it may be a secret.
 */
export function packerOf({ isCompressed, recipients }: Packing, signal?: AbortSignal) {
  const encrypter = new Encrypter()
  try {
    for (const recipient of recipients) encrypter.addRecipient(recipient)
  } catch (cause) {
    const fix = 'It begins with age1: age-keygen -y shows the one of an identity file.'
    throw new CopyFailed(`A recipient is not a public key of age. ${fix}`, { cause })
  }
  return async (clear: string, packed: string): Promise<void> => {
    const read = readChunks(clear)
    const smaller = isCompressed ? connect(read, createZstdCompress(WITH_CHECKSUM), toReader) : read
    const closed =
      recipients.length > 0 ? fromWeb(await encrypter.encrypt(toWeb(smaller))) : smaller
    try {
      await pipeline(closed, createWriteStream(packed), signal ? { signal } : {})
    } catch (cause) {
      if (signal?.aborted) throw new CopyFailed('Interrupted. No file was made.', { cause })
      throw new CopyFailed(`${packed} cannot be written: ${(cause as Error).message}.`, { cause })
    }
  }
}

const begins = (bytes: Uint8Array, start: Buffer) => start.equals(bytes.subarray(0, start.length))

function readStart(path: string): Buffer {
  const bytes = Buffer.alloc(AGE.length)
  const file = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}

/** Whether the file has to be unpacked before it is a database. */
export function isPacked(path: string): boolean {
  const start = readStart(path)
  return begins(start, AGE) || begins(start, ZSTD)
}

/**
 * Unpacks a file into another one.
 * @throws CopyFailed when no identity opens it, or when a byte is not what was written.
 */
export async function unpack(packed: string, clear: string, identityFile?: string): Promise<void> {
  const decrypter = begins(readStart(packed), AGE)
    ? await readIdentities(packed, identityFile)
    : undefined
  const read = readChunks(packed)
  try {
    const opened = decrypter ? fromWeb(await decrypter.decrypt(toWeb(read))) : read
    await pipeline(opened, decompressed, createWriteStream(clear))
  } catch (cause) {
    read.destroy()
    const { message } = cause as Error
    throw new CopyFailed(
      /no identity matched/.test(message)
        ? `None of the identities in ${identityFile} opens ${packed}: it was encrypted for others.`
        : `${packed} cannot be unpacked: ${message}. It is damaged or not whole; take another backup.`,
      { cause },
    )
  }
}

async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  async function* all() {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  if (begins(first.value, ZSTD)) yield* connect(all(), createZstdDecompress(), toReader)
  else yield* all()
}

/** The secret keys of a file that age-keygen writes: one in a line, comments begin with #. */
async function readIdentities(packed: string, identityFile?: string): Promise<Decrypter> {
  if (identityFile === undefined) {
    throw new CopyFailed(`${packed} is encrypted. Name the file of your identity with --identity.`)
  }
  const decrypter = new Decrypter()
  try {
    const lines = (await readFile(identityFile, 'utf8')).split('\n').map((line) => line.trim())
    for (const line of lines) if (line && !line.startsWith('#')) decrypter.addIdentity(line)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new CopyFailed(
      code
        ? `The identity file ${identityFile} cannot be read (${code}).`
        : `${identityFile} is no identity file of age: each line is a secret key that begins with AGE-SECRET-KEY-, or a comment.`,
    )
  }
  return decrypter
}
