// Lets Fastify call a handler of web-standard Request and Response. Fastify has read the body by
// then; it is handed on as the JSON it was. Depends on no framework: the shapes below are what it uses
// of Fastify. Holds no rule.
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

/** `app.post('/token', toFastify(kit.handleTokenRequest))`. A handler that throws goes to Fastify's error handler. */
export function toFastify(handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { raw, url, protocol, body } = request
    // Text under a JSON type is what the JSON held; written out again it must be JSON.
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

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/(.+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')
