// Lets Fastify call a handler of web-standard Request and Response. Fastify has read the body by
// then; it is handed on as the JSON it was. Depends on no framework: the shapes below are what it uses
// of Fastify. Holds no rule.
import type { IncomingMessage } from 'node:http'
import { buildRequest, type Handler } from './node-http.ts'

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

/** `app.post('/token', toFastify(kit.relay))`. A handler that throws goes to Fastify's error handler. */
export function toFastify(handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { raw, url, protocol, body } = request
    const response = await handler(buildRequest(raw, { url, protocol, parsedBody: body }))
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
