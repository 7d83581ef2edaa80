// A proxy on loopback in front of the real service, which is the service for its callers: a planted
// fault may answer by itself or distort single answers. Without a fault it changes nothing.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Service, startService } from './service.ts'

export interface ProxyRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ProxyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Forward = (request: ProxyRequest) => Promise<ProxyAnswer>
export type Handle = (request: ProxyRequest, forward: Forward) => Promise<ProxyAnswer>

export interface FaultyService {
  readonly origin: string
  /** What handles requests from now on, the first outermost, for callers of a network that was not seen before. */
  plant(...handles: Handle[]): void
  stop(): Promise<void>
}

const HOP_HEADERS = ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'host']

const WITHOUT_FAULT: Handle = (request, forward) => forward(request)

export async function startFaultyService(): Promise<FaultyService> {
  let handle: Handle = WITHOUT_FAULT
  let network = 0
  let service: Service | undefined
  const forward: Forward = async ({ method, path, query, headers, body }) => {
    const search = query.size > 0 ? `?${query}` : ''
    const answer = await fetch(`${service?.origin}${path}${search}`, {
      method,
      redirect: 'manual',
      // Limits on failures count for each network.
      headers: { ...headers, 'x-forwarded-for': `10.0.0.${network}` },
      ...(body === '' ? {} : { body }),
    })
    const entries = [...answer.headers].filter(([name]) => name !== 'content-encoding')
    return {
      status: answer.status,
      headers: withoutHopHeaders(Object.fromEntries(entries)),
      body: await answer.text(),
    }
  }
  const http = createServer((incoming, outgoing) => {
    read(incoming)
      .then((request) => handle(request, forward))
      .then((answer) => write(outgoing, answer))
      .catch((error) => write(outgoing, { status: 502, headers: {}, body: String(error) }))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.')
  const origin = `http://localhost:${address.port}`
  service = await startService(origin)
  return {
    origin,
    plant(...handles) {
      handle = handles.reduceRight<Handle>(
        (inner, outer) => (request, forward) =>
          outer(request, (changed) => inner(changed, forward)),
        WITHOUT_FAULT,
      )
      network++
    },
    async stop() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
      await service?.stop()
    },
  }
}

const withoutHopHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)))

async function read(incoming: IncomingMessage): Promise<ProxyRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: withoutHopHeaders(Object.fromEntries(headers)),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function write(outgoing: ServerResponse, { status, headers, body }: ProxyAnswer): void {
  outgoing.writeHead(status, headers)
  outgoing.end(body)
}
