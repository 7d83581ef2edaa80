// The app's part of the server as one function from Request to Response: the launch (launch.ts), the
// app's own session, its API (api.ts). The route handlers in app/ call it. Owns headers and error
// responses. Spec §5.5, §5.6.
import { createSessions } from '@chartside/app-kit/server'
import { createApi } from './api.ts'
import { createLaunch } from './launch.ts'
import { buildPageHeaders } from './policy.ts'
import { explain, Problem } from './problem.ts'
import type { Settings } from './settings.ts'

export type Handler = (request: Request) => Promise<Response>

/** By method and path, such as `GET /api/me`. */
export type Routes = Readonly<Record<string, Handler>>

/** `log` gets one readable line without codes, tokens and secrets. */
export function createApp(settings: Settings, log: (line: string) => void): Handler {
  const { publicUrl } = settings
  const sessions = createSessions({ cookieName: '{{slug}}', allowedOrigins: [publicUrl] })
  const routes: Routes = {
    ...createLaunch({ settings, sessions, log }),
    'POST /api/session/renew': sessions.renew,
    'DELETE /api/session': sessions.end,
    ...createApi(sessions),
  }
  const headers = buildPageHeaders(settings)

  const respond = async (request: Request): Promise<Response> => {
    try {
      const handle = routes[`${request.method} ${new URL(request.url).pathname}`]
      if (handle) return await handle(request)
      throw new Problem(404, {
        error: 'not_found',
        cause: 'There is nothing at this address.',
        fix: 'Open the app from the panel beside the chart.',
      })
    } catch (error) {
      const { status, problem } = explain(error)
      log(`failed: ${problem.error}${problem.trace_id ? ` (trace ${problem.trace_id})` : ''}`)
      if (status === 500) console.error(error)
      return Response.json(problem, { status })
    }
  }
  return async (request) => {
    const response = await respond(request)
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
}
