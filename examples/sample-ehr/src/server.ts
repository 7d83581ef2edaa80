// The sample EHR's HTTP surface: one page per EHR kind, its files, and the switch for faults.
// Owns routing and the page's Content-Security-Policy. Never handles a password or a token of the
// service: the page signs in by itself. Contract §1 (host: the sandbox page), §3.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildAssets } from './assets.ts'
import { CHARTS } from './chart-data.ts'
import { FaultProxy } from './fault-proxy.ts'
import { isExchangeFault } from './faults.ts'
import { type EhrPageSettings, ehrPage } from './page.ts'

export interface SampleEhrOptions extends EhrPageSettings {
  readonly port: number
  /** Gets a line when a fault is switched on or off. */
  readonly log?: (line: string) => void
}

export interface RunningEhr {
  readonly port: number
  /** The token endpoint of the sample apps, which can inject faults. */
  readonly tokenProxyUrl: string
  stop(): Promise<void>
}

export async function startSampleEhr(options: SampleEhrOptions): Promise<RunningEhr> {
  const { port: wantedPort, log = () => {} } = options
  const handle = await createHandler(options, log)
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(`failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      if (!response.headersSent) sendJson(response, 502, { error: 'service_unreachable' })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wantedPort, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    tokenProxyUrl: `http://127.0.0.1:${port}/token-proxy`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

async function createHandler(
  options: SampleEhrOptions,
  log: (line: string) => void,
): Promise<Handler> {
  const assets = await buildAssets()
  const proxy = new FaultProxy({ tokenUrl: `${options.serviceUrl}/app-auth/token` })
  const pages = new Map(CHARTS.map((chart) => [`/${chart.ehrType}`, ehrPage(chart, options)]))
  const policy = contentSecurityPolicy(options.serviceUrl)
  return async (request, response) => {
    // Joined as text: a URL parser takes a path that begins with // for another host.
    const { pathname, search } = new URL(`http://ehr.invalid${request.url}`)
    const path = pathname.replace(/(?<=.)\/$/, '')
    const asset = assets.get(path)
    const page = pages.get(path)
    if (request.method === 'GET' && asset) return send(response, 200, asset.type, asset.body)
    if (request.method === 'GET' && page) {
      response.setHeader('content-security-policy', policy)
      return send(response, 200, 'text/html; charset=utf-8', page)
    }
    switch (`${request.method} ${path}`) {
      case 'GET /':
        response.writeHead(302, { location: `/${CHARTS[0]?.ehrType}${search}` })
        response.end()
        return
      case 'PUT /fault':
        return setFault(proxy, log, request, response)
      case 'POST /token-proxy': {
        const { authorization, 'content-type': contentType = '' } = request.headers
        const body = await readText(request)
        const reply = await proxy.exchange({ contentType, authorization, body })
        return send(response, reply.status, JSON_TYPE, reply.body)
      }
      default:
        return send(response, 404, 'text/plain', 'The sample EHR has nothing here. Go to /meadow.')
    }
  }
}

/** JSON only: a cross-site form cannot switch a fault without a preflight. */
async function setFault(
  proxy: FaultProxy,
  log: (line: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!request.headers['content-type']?.startsWith(JSON_TYPE)) {
    return sendJson(response, 415, { error: 'json_expected' })
  }
  const { fault } = JSON.parse(await readText(request)) as { fault?: unknown }
  const next = isExchangeFault(fault) ? fault : null
  if (next !== proxy.fault) log(next ? `fault on: ${next}` : `fault off: ${proxy.fault}`)
  proxy.fault = next
  sendJson(response, 200, { fault: next })
}

const JSON_TYPE = 'application/json'

/** No inline script or style. Frames: any app a developer may register, on loopback or https. */
function contentSecurityPolicy(serviceUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${serviceUrl}`,
    'frame-src http://localhost:* http://*.localhost:* http://127.0.0.1:* https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const MAX_BODY_BYTES = 16_384

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('the request body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, JSON_TYPE, JSON.stringify(body))
