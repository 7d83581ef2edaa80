// The routes of the authorization endpoint: who may call each, its schemas, its handler. Holds no
// rule; routes.ts puts them into the route table. Spec §4.1.
import { oauthRoute } from '../route-builders.ts'
import { authorize } from './authorize-http.ts'
import { AUTHORIZE_PARAMETERS } from './authorize-schema.ts'
import { refuseWrongPath } from './refusal-http.ts'

export const AUTHORIZE_ROUTES = [
  oauthRoute({
    methods: ['GET', 'POST'],
    path: '/app-auth/authorize',
    operation: 'authorize',
    admission: 'limited',
    limitedBy: 'authorize',
    requiredText: 'lnch_',
    regions: 'any',
    summary: 'Send the browser here; it returns to the redirect URI with a code.',
    caller: 'anyone',
    parameters: AUTHORIZE_PARAMETERS,
    isForm: true,
    answers: { 302: 'Redirect to the app' },
    handle: authorize,
    handleWrongPath: refuseWrongPath,
  }),
]
