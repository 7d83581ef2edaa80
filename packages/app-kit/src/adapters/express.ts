// Lets Express (and Connect, and plain node:http) call a handler of web-standard Request and
// Response, before or after a body parser such as express.json(). Depends on no framework: the
// interface below is the part of Express that it uses. Holds no rule.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { callHandler, type Handler, writeResponse } from './node-http.ts'

/** What Express adds to Node's request. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl?: string
  readonly protocol?: string
  /** Set by a body parser. */
  readonly body?: unknown
}

/**
 * Lets Express, Connect or plain `node:http` call a handler of web-standard Request and Response. The
 * returned function passes a thrown error to `next`, Express's error handler. Never throws.
 * @example app.post('/token', toExpress(kit.handleTokenRequest))
 */
export function toExpress(handler: Handler) {
  return async (
    request: ExpressRequest,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    try {
      const url = request.originalUrl ?? request.url ?? '/'
      const { protocol = 'http', body } = request
      const details = { url, protocol, parsedBody: body }
      const answer = await callHandler(handler, request, details)
      await writeResponse(response, answer)
    } catch (error) {
      next(error)
    }
  }
}
