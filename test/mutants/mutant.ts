// What a mutant is: one named fault, as data. Planting replaces a place of its file, or a text that stands
// exactly once in it. A mutant whose text is gone is stale, and a test says so. Runs nothing.

/** A fault that a careless change could bring. */
export interface Mutant {
  readonly name: string
  readonly area: string
  /** The requirement of docs/inside/spec/security.md that it breaks. */
  readonly requirement: string
  /** Below the root of the project, with `/`. */
  readonly file: string
  /** A text that stands once in the file (by hand), or offsets in UTF-16 units (from the syntax). */
  readonly place: string | { readonly start: number; readonly end: number }
  readonly replace: string
  /** The nearest first. */
  readonly tests: readonly string[]
  readonly engine: 'sqlite' | 'postgres'
  /** Why the behaviour stays the same: another check does it again. Such a mutant may survive. */
  readonly redundant: string | undefined
}

/** @throws Error when the text stands in the source not at all, or more than once. */
export function plant(source: string, { name, file, place, replace }: Mutant): string {
  if (typeof place !== 'string') {
    return source.slice(0, place.start) + replace + source.slice(place.end)
  }
  const places = source.split(place).length - 1
  if (places !== 1) {
    throw new Error(`${name}: its text stands ${places} times in ${file}, it must stand once`)
  }
  return source.replace(place, () => replace)
}
