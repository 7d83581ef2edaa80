// The route of a diagnosis: who may ask for it, its schemas, its handler. Holds no rule; routes.ts puts it into
// the route table.
import { personRoute } from '../route-builders.ts'
import { diagnoseLaunch } from './diagnosis-http.ts'
import { DIAGNOSIS, DIAGNOSIS_BODY } from './diagnosis-schema.ts'

export const DIAGNOSIS_ROUTES = [
  personRoute({
    method: 'POST',
    path: '/api/launches/:id/diagnosis',
    operation: 'diagnoseLaunch',
    summary: 'Visit the page of a launch that makes no step, and say what keeps it from opening.',
    permission: 'self',
    resource: 'launch',
    isBackground: true,
    // It waits for a foreign server, for up to 5 seconds, and must not hold a slot of storage.
    admission: 'throttled',
    body: DIAGNOSIS_BODY,
    answers: { 200: DIAGNOSIS },
    errors: ['rate_limited'],
    handle: diagnoseLaunch,
  }),
]
