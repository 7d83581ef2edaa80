// Reads fields of a message that any window may have sent: own properties only, bounded, and without
// a throw. Knows no message.

/** An own data property: no inherited value, no getter call. */
export function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

export function text(of: unknown, key: string, maxLength: number): string | null {
  const value = own(of, key)
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : null
}

export function oneOf<T extends string>(of: unknown, key: string, values: readonly T[]): T | null {
  const value = own(of, key)
  return values.find((candidate) => candidate === value) ?? null
}
