// The pages about launches: path, title, place in the navigation, and the file of each, which is loaded when
// the page is opened.
import type { PageEntry } from '../../route/page-entry.ts'

export const LAUNCH_PAGES: readonly PageEntry[] = []
