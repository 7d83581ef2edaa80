// Writes a zip archive of files in memory, the same bytes for the same files: fixed times, given order,
// no platform fields. Deflate comes from Node.js. Format: PKWARE APPNOTE 4.3.
import { crc32, deflateRawSync } from 'node:zlib'

/** The date 1980-01-01 00:00, the first time that the format knows. */
const DOS_DATE = 0x21
const VERSION = 20
const DEFLATE = 8
/** Names are UTF-8. */
const FLAGS = 0x0800

export function buildZip(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, contents] of files) {
    const name = Buffer.from(path)
    const data = deflateRawSync(contents, { level: 9 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(VERSION, 0)
    fields.writeUInt16LE(FLAGS, 2)
    fields.writeUInt16LE(DEFLATE, 4)
    fields.writeUInt16LE(DOS_DATE, 8)
    fields.writeUInt32LE(crc32(contents), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(contents.length, 18)
    fields.writeUInt16LE(name.length, 22)
    parts.push(signature(0x04034b50), fields, name, data)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    directory.push(signature(0x02014b50), uint16(VERSION), fields, entry, name)
    offset += 4 + fields.length + name.length + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.size, 4)
  end.writeUInt16LE(files.size, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
