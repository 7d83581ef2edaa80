// The pages that the console has, handed over once at the start: pages lead to each other by address,
// so none of them may import the table that names their files.
import type { PageEntry } from './page-entry.ts'

let pages: readonly PageEntry[] = []

export function registerPages(all: readonly PageEntry[]): void {
  pages = all
}

export const knownPages = (): readonly PageEntry[] => pages
