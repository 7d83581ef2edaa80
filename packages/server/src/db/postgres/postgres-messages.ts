// Encodes what a batch sends to PostgreSQL, as one piece of memory and so one write to the socket: the
// messages of the extended query protocol (PostgreSQL manual, "Message Formats"). Knows no connection.

export interface NamedText {
  /** The name; '' is the unnamed statement. */
  readonly name: string
  readonly sql: string
}

const FIRST_BYTES = 16 * 1024
/** Larger ones are not kept after their batch. */
const MAX_KEPT_BYTES = 256 * 1024
/** UTF-8 needs at most three bytes for each UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3
const HEADER_BYTES = 5

const MESSAGE = { parse: 0x50, describe: 0x44, close: 0x43, bind: 0x42 } as const
const OF_STATEMENT = 0x53
/** The message executes the unnamed portal, without a limit of rows. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

let memory = Buffer.allocUnsafe(FIRST_BYTES)
let length = 0

/** Starts a batch; the batches of a process are encoded one after the other. */
export function beginMessages(): void {
  length = 0
  if (memory.length > MAX_KEPT_BYTES) memory = Buffer.allocUnsafe(FIRST_BYTES)
}

/** Prepares a statement under its name, in place of one of the same name, and describes it. */
export function addPrepare({ name, sql }: NamedText): void {
  if (name !== '') addOfStatement(MESSAGE.close, name)
  const start = begin(MESSAGE.parse)
  addText(name)
  addText(sql)
  addInt16(0)
  end(start)
  addOfStatement(MESSAGE.describe, name)
}

/** Binds the values, as text, and executes. */
export function addExecution(name: string, values: readonly (string | null)[]): void {
  const start = begin(MESSAGE.bind)
  addText('')
  addText(name)
  addInt16(0)
  addInt16(values.length)
  for (const value of values) {
    reserve(4)
    if (value === null) length = memory.writeInt32BE(-1, length)
    else {
      const at = length
      length += 4
      addUtf8(value)
      memory.writeInt32BE(length - at - 4, at)
    }
  }
  addInt16(0)
  end(start)
  addBytes(EXECUTE)
}

/** Ends the batch with its one Sync. The socket may keep the memory, so it is a copy. */
export function endMessages(): Buffer {
  addBytes(SYNC)
  return Buffer.from(memory.subarray(0, length))
}

function addOfStatement(type: number, name: string): void {
  const start = begin(type)
  reserve(1)
  memory[length++] = OF_STATEMENT
  addText(name)
  end(start)
}

function begin(type: number): number {
  reserve(HEADER_BYTES)
  memory[length] = type
  length += HEADER_BYTES
  return length
}

/** The length of a message counts itself, and not its type. */
function end(start: number): void {
  memory.writeInt32BE(length - start + 4, start - 4)
}

function addText(text: string): void {
  addUtf8(text)
  reserve(1)
  memory[length++] = 0
}

function addUtf8(text: string): void {
  reserve(text.length * MAX_BYTES_PER_UNIT)
  length += memory.write(text, length, 'utf8')
}

function addInt16(value: number): void {
  reserve(2)
  length = memory.writeInt16BE(value, length)
}

function addBytes(bytes: Buffer): void {
  reserve(bytes.length)
  length += bytes.copy(memory, length)
}

function reserve(bytes: number): void {
  if (length + bytes <= memory.length) return
  const larger = Buffer.allocUnsafe(Math.max(memory.length * 2, length + bytes))
  memory.copy(larger, 0, 0, length)
  memory = larger
}
