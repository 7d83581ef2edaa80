// The route of the event stream of an EHR session. Holds no rule; routes.ts
// puts it into the route table.
import { SESSION_EVENTS } from '../launches/launch-schema.ts'
import { personRoute } from '../route-builders.ts'
import { streamSessionEvents } from './streams-http.ts'

export const STREAM_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/sessions/:id/events',
    operation: 'streamSessionEvents',
    summary: 'The events of an EHR session as a stream.',
    permission: 'own',
    resource: 'session',
    isBackground: true,
    answers: { 200: 'Event stream' },
    errors: ['rate_limited'],
    events: SESSION_EVENTS,
    handle: streamSessionEvents,
  }),
]
