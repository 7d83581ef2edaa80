// The route table: every address of the service, who may call it, what it takes and gives, and the
// handler. The server, the OpenAPI document and the tests read this table and nothing else.

import { ACCESS_ROUTES } from './access/access-routes.ts'
import { ACCOUNT_ROUTES } from './accounts/account-routes.ts'
import { APP_ROUTES } from './apps/app-routes.ts'
import { AUDIT_ROUTES } from './audit/audit-routes.ts'
import { AUTHORIZE_ROUTES } from './authorize/authorize-routes.ts'
import { COLLECTION_ROUTES } from './collections/collection-routes.ts'
import { CONSOLE_ROUTES } from './console/console-routes.ts'
import { CREDENTIAL_ROUTES } from './credentials/credential-routes.ts'
import { DEVELOPER_KEY_ROUTES } from './developer-keys/developer-key-routes.ts'
import { DIAGNOSIS_ROUTES } from './diagnosis/diagnosis-routes.ts'
import { DOCS_ROUTES } from './docs/docs-routes.ts'
import { DOMAIN_ROUTES } from './domains/domain-routes.ts'
import { FAULT_RUN_ROUTES } from './fault-runs/fault-run-routes.ts'
import { IDENTITY_PROVIDER_ROUTES } from './identity-providers/identity-provider-routes.ts'
import { LAUNCH_ROUTES } from './launches/launch-routes.ts'
import { LOGOUT_ROUTES } from './logout/logout-routes.ts'
import { MEMBER_ROUTES } from './members/member-routes.ts'
import { DISCOVERY_ROUTES } from './meta/discovery-routes.ts'
import { metaRoutes } from './meta/meta-routes.ts'
import { ONBOARDING_ROUTES } from './onboarding/import-routes.ts'
import { PREFLIGHT_ROUTES } from './preflight/preflight-routes.ts'
import type { Route } from './route.ts'
import { RUNNING_ROUTES } from './running/running-routes.ts'
import { DIRECTORY_TOKEN_ROUTES } from './scim/directory-token-routes.ts'
import type { Service } from './service.ts'
import { SESSION_ROUTES } from './sessions/session-routes.ts'
import { SIGN_IN_PAGE_ROUTES } from './sign-in/sign-in-page-routes.ts'
import { SIGN_IN_ROUTES } from './sign-in/sign-in-routes.ts'
import { SIGNING_KEY_ROUTES } from './signing-keys/signing-key-routes.ts'
import { STREAM_ROUTES } from './streams/streams-routes.ts'
import { TOKEN_ROUTES } from './token/token-routes.ts'
import { USER_ROUTES } from './users/user-routes.ts'
import { WEBHOOK_ROUTES } from './webhooks/webhook-routes.ts'

export const ROUTES: readonly Route<Service>[] = [
  ...AUTHORIZE_ROUTES,
  ...TOKEN_ROUTES,
  ...SIGNING_KEY_ROUTES,
  ...DISCOVERY_ROUTES,
  ...SIGN_IN_ROUTES,
  ...SIGN_IN_PAGE_ROUTES,
  ...SESSION_ROUTES,
  ...LAUNCH_ROUTES,
  ...STREAM_ROUTES,
  ...USER_ROUTES,
  ...DEVELOPER_KEY_ROUTES,
  ...ACCESS_ROUTES,
  ...ACCOUNT_ROUTES,
  ...ONBOARDING_ROUTES,
  ...MEMBER_ROUTES,
  ...DIRECTORY_TOKEN_ROUTES,
  ...IDENTITY_PROVIDER_ROUTES,
  ...DOMAIN_ROUTES,
  ...CREDENTIAL_ROUTES,
  ...APP_ROUTES,
  ...PREFLIGHT_ROUTES,
  ...DIAGNOSIS_ROUTES,
  ...LOGOUT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...FAULT_RUN_ROUTES,
  ...COLLECTION_ROUTES,
  ...RUNNING_ROUTES,
  ...AUDIT_ROUTES,
  ...CONSOLE_ROUTES,
  ...DOCS_ROUTES,
  ...metaRoutes(() => ROUTES),
]
