// Sends the answers of one iteration of the event loop together, at its end. To send one may wake the
// process that waits for it, a balancer or a client on the same machine, which costs several times the
// sending; what follows at once finds it awake. Knows no route and nothing of Fastify.
import { type IncomingMessage, ServerResponse } from 'node:http'

interface EndedResponse {
  readonly response: { send(ended: EndedResponse): void }
  readonly chunk: unknown
  readonly encoding: unknown
  readonly callback: unknown
}

/** Of all servers of the process. */
let ended: EndedResponse[] = []

function sendEnded(): void {
  const now = ended
  ended = []
  for (const one of now) one.response.send(one)
}

/**
 * For `createServer({ ServerResponse: JoinedResponse })`. What was written before the end is on its way already.
 * `writableEnded` becomes true with the sending.
 */
export class JoinedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (ended.push({ response: this, chunk, encoding, callback }) === 1) setImmediate(sendEnded)
    return this
  }

  /** An answer whose client is gone is dropped, as without this class. */
  send({ chunk, encoding, callback }: EndedResponse): void {
    super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}
