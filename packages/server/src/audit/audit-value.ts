// Texts of the audit trail as few bytes: identifiers without their prefix, addresses and trace ids as
// numbers, words of the service as one byte, anything else as UTF-8. Every text comes back exactly as it
// was, because a hash is over it. Pure. docs/inside/decisions/0041.

/** The list only ever grows at its end: stored events name the words by their place. */
const WORDS: readonly string[] = [
  ...['launch', 'authorize', 'exchange', 'replay', 'revoke'],
  ...['trace', 'reason', 'code', 'fields', 'user', 'host', 'suppressed'],
  ...['nobody', 'service', 'operator', 'local', 'platform', 'unknown', ''],
]
const WORD_PLACES = new Map(WORDS.map((word, at) => [word, at]))

/** The list only ever grows at its end. */
const PREFIXES: readonly string[] = [
  ...['acc', 'usr', 'app', 'col', 'ses', 'sgn', 'lau', 'sec', 'mth', 'evt', 'nod', 'stp', 'inv'],
  'rpt',
]

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** The five bits of each character, by its code. */
const BITS = new Uint8Array(128)
for (let at = 0; at < ALPHABET.length; at++) BITS[ALPHABET.charCodeAt(at)] = at

const ID = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{22}$/
const ID_CHARS = 22
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
/** Events from before trace ids had 32 digits have this form. */
const SHORT_TRACE = /^[0-9a-f]{16}$/
const TRACE = /^[0-9a-f]{32}$/
const CLIENT = /^cli_[0-9a-f]{32}$/

/** The first byte of a text. Below: the number of the UTF-8 bytes that follow. */
const TAG = {
  long: 0x80,
  ipv4: 0x81,
  trace: 0x82,
  client: 0x83,
  escaped: 0x84,
  ipv6: 0x85,
} as const
const FIRST_PREFIX = 0x90
const FIRST_WORD = 0xc0

export const isShortTrace = (text: string) => SHORT_TRACE.test(text)
export const isTrace = (text: string) => TRACE.test(text)

/** So many bytes hold so many characters of an identifier, five bits each. */
const bytesOf = (chars: number) => Math.ceil((chars * 5) / 8)

const IPV6 = /^[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}$/

/** The eight groups of an address; other numbers than eight for a text that is none. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = tail ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : []
  return [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16))
}

/** Formats as RFC 5952 does: the first of the longest runs of zeros is left out. */
function formatIpv6(groups: readonly number[]): string {
  const text = groups.map((group) => group.toString(16)).join(':')
  const runs = [...text.matchAll(/(?:^|:)0(?::0)+(?![0-9a-f])/g)].map(([run]) => run)
  const [longest] = runs.toSorted((a, b) => countZeros(b) - countZeros(a))
  if (longest === undefined) return text
  return text.replace(longest, '::').replace(':::', '::')
}

const countZeros = (run: string) => run.split('0').length

/** Returns true for an address that is formatted to the same text. */
const isPlainIpv6 = (text: string) => {
  if (!IPV6.test(text) || text.split('::').length > 2) return false
  const groups = groupsOf(text.length > 39 ? '' : text)
  return groups.length === 8 && !groups.includes(Number.NaN) && formatIpv6(groups) === text
}

export class ByteWriter {
  #memory = Buffer.allocUnsafe(256)
  #length = 0

  integer(value: number, bytes: number): void {
    this.#reserve(bytes)
    this.#length = this.#memory.writeUIntBE(value, this.#length, bytes)
  }

  /** Writes seven bits in a byte, the last byte first. */
  variable(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.integer((rest % 0x80) + 0x80, 1)
      rest = Math.floor(rest / 0x80)
    }
    this.integer(rest, 1)
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#memory.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Writes hexadecimal digits. */
  hex(digits: string): void {
    this.#reserve(digits.length / 2)
    this.#length += this.#memory.write(digits, this.#length, 'hex')
  }

  /** Characters of an identifier. */
  chars(chars: string): void {
    this.#reserve(bytesOf(chars.length))
    let bits = 0
    let count = 0
    for (let at = 0; at < chars.length; at++) {
      bits = (bits << 5) | (BITS[chars.charCodeAt(at)] ?? 0)
      count += 5
      if (count < 8) continue
      count -= 8
      this.#memory[this.#length++] = bits >> count
      bits &= (1 << count) - 1
    }
    if (count > 0) this.#memory[this.#length++] = bits << (8 - count)
  }

  text(text: string): void {
    const word = WORD_PLACES.get(text)
    if (word !== undefined) {
      this.integer(FIRST_WORD + word, 1)
      return
    }
    const prefix = ID.test(text) ? PREFIXES.indexOf(text.slice(0, 3)) : -1
    if (prefix >= 0) {
      this.integer(FIRST_PREFIX + prefix, 1)
      this.chars(text.slice(-ID_CHARS))
    } else if (IPV4.test(text)) {
      this.integer(TAG.ipv4, 1)
      for (const number of text.split('.')) this.integer(Number(number), 1)
    } else if (isPlainIpv6(text)) {
      this.integer(TAG.ipv6, 1)
      for (const group of groupsOf(text)) this.integer(group, 2)
    } else if (CLIENT.test(text)) {
      this.integer(TAG.client, 1)
      this.hex(text.slice(-32))
    } else if (SHORT_TRACE.test(text)) {
      this.integer(TAG.trace, 1)
      this.hex(text)
    } else this.#utf8(text)
  }

  finish(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  #utf8(text: string): void {
    const isExact = text.isWellFormed()
    const bytes = Buffer.from(isExact ? text : JSON.stringify(text))
    if (!isExact) this.integer(TAG.escaped, 1)
    if (bytes.length < TAG.long) this.integer(bytes.length, 1)
    else {
      this.integer(TAG.long, 1)
      this.integer(bytes.length, 4)
    }
    this.bytes(bytes)
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#memory.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#memory.length * 2, this.#length + bytes))
    this.#memory.copy(larger, 0, 0, this.#length)
    this.#memory = larger
  }
}

/** Reads what a {@link ByteWriter} wrote. @throws RangeError at bytes that none wrote. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  integer(bytes: number): number {
    const value = this.#bytes.readUIntBE(this.#at, bytes)
    this.#at += bytes
    return value
  }

  variable(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.integer(1)
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  bytes(count: number): Buffer {
    if (this.#at + count > this.#bytes.length) throw new RangeError('bytes of an event are missing')
    const bytes = this.#bytes.subarray(this.#at, this.#at + count)
    this.#at += count
    return bytes
  }

  hex(digits: number): string {
    return this.bytes(digits / 2).toString('hex')
  }

  chars(count: number): string {
    const bytes = this.bytes(bytesOf(count))
    let chars = ''
    let bits = 0
    let held = 0
    for (let at = 0; at < bytes.length; at++) {
      bits = (bits << 8) | (bytes[at] ?? 0)
      held += 8
      while (held >= 5 && chars.length < count) {
        held -= 5
        chars += ALPHABET[(bits >> held) & 31]
      }
      bits &= (1 << held) - 1
    }
    return chars
  }

  text(): string {
    const tag = this.integer(1)
    if (tag >= FIRST_WORD) {
      const word = WORDS[tag - FIRST_WORD]
      if (word === undefined) throw new RangeError('an event of a newer version')
      return word
    }
    if (tag >= FIRST_PREFIX) return `${PREFIXES[tag - FIRST_PREFIX]}_${this.chars(ID_CHARS)}`
    if (tag === TAG.ipv4) return [...this.bytes(4)].join('.')
    if (tag === TAG.trace) return this.hex(16)
    if (tag === TAG.ipv6) return formatIpv6(Array.from({ length: 8 }, () => this.integer(2)))
    if (tag === TAG.client) return `cli_${this.hex(32)}`
    if (tag === TAG.escaped) return JSON.parse(this.#utf8(this.integer(1)))
    return this.#utf8(tag)
  }

  #utf8(tag: number): string {
    return this.bytes(tag === TAG.long ? this.integer(4) : tag).toString('utf8')
  }
}
