// The table of pages: one list of entries for each area, in the order in which paths are matched. A new
// area adds one line here; everything else of it stands in its own folder.
import { ACCOUNT_PAGES } from './pages/accounts/entries.ts'
import { APP_PAGES } from './pages/apps/entries.ts'
import { AUDIT_PAGES } from './pages/audit/entries.ts'
import { COLLECTION_PAGES } from './pages/collections/entries.ts'
import { KEY_PAGES } from './pages/keys/entries.ts'
import { LAUNCH_PAGES } from './pages/launches/entries.ts'
import { OVERVIEW_PAGES } from './pages/overview/entries.ts'
import { PEOPLE_PAGES } from './pages/people/entries.ts'
import { RUNNING_PAGES } from './pages/running/entries.ts'
import { SESSION_PAGES } from './pages/sessions/entries.ts'
import { SETTINGS_PAGES } from './pages/settings/entries.ts'
import { TRY_PAGES } from './pages/try/entries.ts'
import type { PageEntry } from './route/page-entry.ts'

export const PAGES: readonly PageEntry[] = [
  ...OVERVIEW_PAGES,
  ...LAUNCH_PAGES,
  ...SESSION_PAGES,
  ...APP_PAGES,
  ...RUNNING_PAGES,
  ...COLLECTION_PAGES,
  ...PEOPLE_PAGES,
  ...ACCOUNT_PAGES,
  ...AUDIT_PAGES,
  ...KEY_PAGES,
  ...TRY_PAGES,
  ...SETTINGS_PAGES,
]
