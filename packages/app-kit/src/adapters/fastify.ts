// Lets Fastify call a handler of web-standard Request and Response. Fastify has read the body
// before; it is passed on as the original JSON. Depends on no framework: the interfaces below are
// the parts of Fastify that it uses. Holds no rule.
import type { IncomingMessage } from 'node:http'
import { callHandler, type Handler } from './node-http.ts'

interface FastifyRequest {
  readonly raw: IncomingMessage
  readonly url: string
  readonly protocol: string
  readonly body: unknown
}

interface FastifyReply {
  code(status: number): unknown
  header(name: string, value: string | string[]): unknown
  send(payload: unknown): unknown
}

/**
 * Lets Fastify call a handler of web-standard Request and Response.
 * The returned function rejects with what the handler throws, for Fastify's error handler. Never throws
 * itself.
 * @example app.post('/token', toFastify(kit.handleTokenRequest))
 */
export function toFastify(handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { raw, url, protocol, body } = request
    // A parsed JSON string must be written as JSON again.
    const parsedBody = typeof body === 'string' && isJson(raw) ? JSON.stringify(body) : body
    const response = await callHandler(handler, raw, { url, protocol, parsedBody })
    reply.code(response.status)
    for (const [name, value] of response.headers) {
      if (name !== 'set-cookie') reply.header(name, value)
    }
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined)
    return reply
  }
}

interface FastifyInstance {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, body: unknown, done: (error: null) => void) => void,
  ): unknown
  // A method, so that the instance of any version of Fastify fits.
  all(path: string, handler: ReturnType<typeof toFastify>): unknown
}

/**
 * Lets a handler answer every request of a Fastify instance that no other route answers. It removes
 * the body parsers of the instance, because the handler reads bodies itself. Fastify's error handler
 * gets a thrown error. Never throws.
 * @example mountFastify(fastify(), createApp(settings, log))
 */
export function mountFastify(app: FastifyInstance, handler: Handler): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.all('/*', toFastify(handler))
}

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/(.+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')
