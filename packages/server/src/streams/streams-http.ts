// The edge of the event stream of an EHR session: finds the session, opens the stream and answers with it.
// What the stream sends and when it ends is in session-stream.ts. Contract §5.
import type { Answer, PersonCall } from '../http/call.ts'
import { loadSession } from '../sessions/session-access.ts'
import { SessionStream, type StreamParts } from './session-stream.ts'

export async function streamSessionEvents(
  service: StreamParts,
  call: PersonCall<'id'>,
): Promise<Answer<200>> {
  const session = await loadSession(service, { ...call, now: service.clock() }, call.params.id)
  const stream = new SessionStream(service, call, session)
  await stream.open()
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx holds an answer back until its buffer is full, by default.
      'x-accel-buffering': 'no',
    },
    body: stream.body,
  }
}
