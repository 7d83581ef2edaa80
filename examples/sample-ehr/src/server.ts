// The sample EHR's HTTP surface: the pages of each EHR, the sandbox page around them, their files, the faults,
// and notices of the apps' processes. Owns routing and the sandbox page's Content-Security-Policy. Never handles a password or a
// token of the service: the page signs in by itself. Contract §1 (host: the sandbox page), §3.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AppNotice, AppNotices } from './app-notices.ts'
import type { Assets } from './assets.ts'
import { EHR_POLICY, findEhrPage } from './ehr-page.ts'
import { EHRS } from './ehrs.ts'
import { FaultProxy } from './fault-proxy.ts'
import { answerStudio, type StudioCalls } from './fault-studio.ts'
import { isExchangeFault } from './faults.ts'
import { JSON_TYPE, readFields, readText, send, sendJson, sendPage } from './replies.ts'
import type { NewApp, SandboxCalls } from './sandbox-calls.ts'
import { type SandboxPageSettings, sandboxPage } from './sandbox-page.ts'
import { WRONG_HOST_POLICY, wrongHostPage } from './wrong-host.ts'

export type { AppNotice } from './app-notices.ts'
export type { StudioApp, StudioCalls, StudioState } from './fault-studio.ts'
export type { AddedApp, NewApp, SandboxCalls } from './sandbox-calls.ts'

export interface SampleEhrOptions extends SandboxPageSettings {
  readonly port: number
  /** The origin under which a browser opens it; undefined: any. */
  readonly url?: string
  readonly assets: Assets
  readonly sandbox: SandboxCalls
  /** Absent: no page Fault studio. */
  readonly studio?: StudioCalls
  /** Gets a line when a fault is switched on or off. */
  readonly log?: (line: string) => void
}

export interface RunningEhr {
  readonly port: number
  /** The token endpoint of the sample apps, which can inject faults. */
  readonly tokenProxyUrl: string
  /** Notifies every open page. */
  publish(notice: AppNotice): void
  stop(): Promise<void>
}

export async function startSampleEhr(options: SampleEhrOptions): Promise<RunningEhr> {
  const { port: wantedPort, log = () => {} } = options
  const notices = new AppNotices()
  const handle = await createHandler(options, notices, log)
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
    tokenProxyUrl: `http://127.0.0.1:${port}${TOKEN_PATH}`,
    publish: (notice) => notices.publish(notice),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const TOKEN_PATH = '/token-proxy'

async function createHandler(
  options: SampleEhrOptions,
  notices: AppNotices,
  log: (line: string) => void,
): Promise<Handler> {
  const { assets, sandbox, studio } = options
  const proxy = new FaultProxy({
    tokenUrl: `${options.serviceUrl}/app-auth/token`,
    findSession: (launch) => sandbox.findSession(launch),
  })
  const pages = new Map(EHRS.map((ehr) => [`/${ehr.ehrType}`, sandboxPage(ehr, options)]))
  const policy = contentSecurityPolicy(options.serviceUrl)
  return async (request, response) => {
    // Joined as text: a URL parser takes a path that begins with // for another host.
    const { pathname, search } = new URL(`http://ehr.invalid${request.url}`)
    const path = pathname.replace(/(?<=.)\/$/, '')
    const { host = '' } = request.headers
    // Apps reach the proxy by another name, and no page can: it answers no preflight.
    const isForAll = path === TOKEN_PATH || path === '/sandbox.css'
    if (options.url && !isForAll && host !== new URL(options.url).host) {
      const page = wrongHostPage(`${options.url}${path}${search}`, host)
      return sendPage(response, 421, WRONG_HOST_POLICY, page)
    }
    const asset = assets.get(path)
    const page = pages.get(path)
    if (request.method === 'GET' && asset) return send(response, 200, asset.type, asset.body)
    if (request.method === 'GET' && page) return sendPage(response, 200, policy, page)
    const chart = EHRS.map((ehr) => findEhrPage(ehr, path)).find((found) => found !== null)
    if (request.method === 'GET' && chart) return sendPage(response, 200, EHR_POLICY, chart)
    if (studio && (await answerStudio(studio, request, response))) return
    switch (`${request.method} ${path}`) {
      case 'GET /':
        response.writeHead(302, { location: `/${EHRS[0]?.ehrType}${search}` })
        response.end()
        return
      case 'GET /app-notices':
        return notices.subscribe(response)
      case 'PUT /fault':
        return setFault(proxy, log, request, response)
      case 'POST /apps':
        return addApp(sandbox, request, response)
      case `POST ${TOKEN_PATH}`: {
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

async function setFault(
  proxy: FaultProxy,
  log: (line: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fields = await readFields(request)
  if (!fields) return sendJson(response, 415, { error: 'json_expected' })
  const { fault, sessionId } = fields
  if (typeof sessionId !== 'string') return sendJson(response, 400, { error: 'session_expected' })
  const next = isExchangeFault(fault) ? fault : null
  const previous = proxy.switch(sessionId, next)
  if (next !== previous) log(next ? `fault on: ${next}` : `fault off: ${previous}`)
  sendJson(response, 200, { fault: next })
}

async function addApp(
  sandbox: SandboxCalls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fields = await readFields(request)
  if (!fields) return sendJson(response, 415, { error: 'json_expected' })
  const { name, launchUrl, redirectUri } = fields
  const texts = [name, launchUrl, redirectUri]
  if (!texts.every((text) => typeof text === 'string' && text !== '')) {
    return sendJson(response, 400, { message: 'Fill in name, Launch URL and redirect URI.' })
  }
  try {
    sendJson(response, 201, await sandbox.addApp({ name, launchUrl, redirectUri } as NewApp))
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The app could not be registered.'
    sendJson(response, 400, { message })
  }
}

/** No inline script or style. Frames: the EHR, and any app a developer may register, on loopback or https. */
function contentSecurityPolicy(serviceUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${serviceUrl}`,
    "frame-src 'self' http://localhost:* http://*.localhost:* http://127.0.0.1:* https:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
