// Draws the icon of the extension as PNG: a chart with a panel at its side. A self-hosted distribution
// passes pictures of its own. Pure; the same bytes every time.
import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [number, number, number, number]

/** The accent of packages/ui. */
const BLUE: Color = [21, 87, 158, 255]
const WHITE: Color = [255, 255, 255, 255]
const AMBER: Color = [255, 191, 71, 255]
const NONE: Color = [0, 0, 0, 0]

/** The color at a point of the unit square. */
function colorAt(x: number, y: number): Color {
  const corner = Math.hypot(
    Math.max(Math.abs(x - 0.5) - 0.3, 0),
    Math.max(Math.abs(y - 0.5) - 0.3, 0),
  )
  if (corner > 0.2) return NONE
  if (y > 0.2 && y < 0.8 && x > 0.6 && x < 0.82) return AMBER
  const isLine = [0.26, 0.45, 0.64].some((top) => y > top && y < top + 0.1)
  return isLine && x > 0.18 && x < 0.5 ? WHITE : BLUE
}

export function buildIcon(size: number): Uint8Array {
  const rows = Buffer.alloc(size * (size * 4 + 1))
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const color = colorAt((column + 0.5) / size, (row + 0.5) / size)
      rows.set(color, row * (size * 4 + 1) + 1 + column * 4)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const begin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    begin,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A picture of the distribution's own. @throws Error that says what is wrong with it */
export function parseIcon(picture: Uint8Array, size: number, path: string): Uint8Array {
  const bytes = Buffer.from(picture)
  if (bytes.subarray(1, 4).toString('latin1') !== 'PNG')
    throw new Error(`${path} is no PNG picture.`)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width === size && height === size) return picture
  throw new Error(`${path} has ${width} × ${height} points; it must have ${size} × ${size}.`)
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
