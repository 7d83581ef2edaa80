// The route table: every address of the service, who may call it, what it takes and gives, and the
// handler. The server, the OpenAPI document and the tests read this table and nothing else.
import type { Route } from './http/route.ts'
import { ADMINISTRATION_ROUTES } from './routes/administration-routes.ts'
import { APP_AUTH_ROUTES } from './routes/app-auth-routes.ts'
import { APP_ROUTES } from './routes/app-routes.ts'
import { AUDIT_ROUTES } from './routes/audit-routes.ts'
import { COLLECTION_ROUTES } from './routes/collection-routes.ts'
import { LAUNCH_ROUTES } from './routes/launch-routes.ts'
import { META_ROUTES } from './routes/meta-routes.ts'
import { PEOPLE_ROUTES } from './routes/people-routes.ts'
import { SIGN_IN_ROUTES } from './routes/sign-in-routes.ts'

export const ROUTES: readonly Route[] = [
  ...APP_AUTH_ROUTES,
  ...SIGN_IN_ROUTES,
  ...LAUNCH_ROUTES,
  ...ADMINISTRATION_ROUTES,
  ...APP_ROUTES,
  ...COLLECTION_ROUTES,
  ...PEOPLE_ROUTES,
  ...AUDIT_ROUTES,
  ...META_ROUTES,
]
