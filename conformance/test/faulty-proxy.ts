// A proxy on loopback in front of a provider, which is the provider for its callers: a planted fault may
// answer by itself or distort single answers. Without a fault it changes nothing.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { startService } from './service.ts'

export interface ProxyRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ProxyAnswer {
  readonly status: number
  /** Several values for Set-Cookie only. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

export type Forward = (request: ProxyRequest) => Promise<ProxyAnswer>
export type Handle = (request: ProxyRequest, forward: Forward) => Promise<ProxyAnswer>

interface Behind {
  readonly origin: string
  stop(): Promise<void>
}

export interface FaultyProxy {
  readonly origin: string
  /** What handles requests from now on, the first outermost, for callers of a network that was not seen before. */
  plant(...handles: Handle[]): void
  stop(): Promise<void>
}

const HOP_HEADERS = ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'host']

const WITHOUT_FAULT: Handle = (request, forward) => forward(request)

export const startFaultyService = (): Promise<FaultyProxy> => startFaultyProxy(startService)

/** @param start what stands behind it, which calls itself by the origin of the proxy */
export async function startFaultyProxy(
  start: (origin: string) => Promise<Behind>,
): Promise<FaultyProxy> {
  let handle: Handle = WITHOUT_FAULT
  let network = 0
  let behind: Behind | undefined
  const forward: Forward = async ({ method, path, query, headers, body }) => {
    const search = query.size > 0 ? `?${query}` : ''
    const answer = await fetch(`${behind?.origin}${path}${search}`, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        // Limits on failures count for each network.
        'x-forwarded-for': `10.0.0.${network}`,
        'x-forwarded-host': new URL(origin).host,
      },
      ...(body === '' ? {} : { body }),
    })
    const entries = [...answer.headers].filter(
      ([name]) => name !== 'content-encoding' && name !== 'set-cookie',
    )
    const cookies = answer.headers.getSetCookie()
    return {
      status: answer.status,
      headers: {
        ...withoutHopHeaders(Object.fromEntries(entries)),
        ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
      },
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
  behind = await start(origin)
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
      await behind?.stop()
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
  outgoing.writeHead(status, headers as Record<string, string | string[]>)
  outgoing.end(body)
}
