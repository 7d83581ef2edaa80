// Reads typed values out of database rows. A value of another type is a programmer error in a
// statement or a schema, so it throws.
import type { Row } from './database.ts'

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`column ${column} is not text`)
  return value
}

export function integer(row: Row, column: string): number {
  const value = Number(row[column] ?? Number.NaN)
  if (!Number.isSafeInteger(value)) throw new TypeError(`column ${column} is not an integer`)
  return value
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw new TypeError(`column ${column} is not bytes`)
  return value
}

export function optionalText(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : text(row, column)
}

export function optionalInteger(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : integer(row, column)
}

/** A JSON column. The writer of the column is the same store, so its shape is known there. */
export function json<T>(row: Row, column: string): T {
  return JSON.parse(text(row, column)) as T
}

const parsed = new WeakMap<Row, Map<string, unknown>>()

/** A JSON column of a row that may be remembered: it is parsed once, so no caller may change the value. */
export function jsonOnce<T>(row: Row, column: string): T {
  let columns = parsed.get(row)
  if (!columns) {
    columns = new Map()
    parsed.set(row, columns)
  }
  if (!columns.has(column)) columns.set(column, json(row, column))
  return columns.get(column) as T
}
