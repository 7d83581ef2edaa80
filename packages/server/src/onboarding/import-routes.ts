// The route of the import: who may call it, its schemas and its handler. routes.ts puts it into the
// table.
import { personRoute } from '../route-builders.ts'
import { importAccounts } from './import-http.ts'
import { IMPORT, IMPORT_BODY } from './import-schema.ts'

export const ONBOARDING_ROUTES = [
  personRoute({
    method: 'POST',
    path: '/api/accounts/import',
    operation: 'importAccounts',
    summary: 'Import practices and invite their people; importing again changes nothing.',
    permission: 'platform',
    resource: 'account',
    recentAuth: 'always',
    // It waits for the mail server, and for many writes one after another.
    admission: 'throttled',
    body: IMPORT_BODY,
    answers: { 200: IMPORT },
    handle: importAccounts,
  }),
]
