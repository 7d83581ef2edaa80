// The pages about apps: path, title, place in the navigation, and the file of each, which is loaded when
// the page is opened.
import type { PageEntry } from '../../route/page-entry.ts'

export const APP_PAGES: readonly PageEntry[] = []
