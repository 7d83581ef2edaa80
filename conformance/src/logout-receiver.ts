// The server of the client as far as logout goes: takes the logout tokens that the service sends to this machine, and
// keeps them by session. It answers as a module wants. OpenID Connect Back-Channel Logout 1.0, 2.5.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'

export interface LogoutNotice {
  readonly method: string
  readonly contentType: string
  readonly logoutToken: string
}

export interface LogoutReceiver {
  readonly uri: string
  /** The first notice of the session is answered with 503. */
  refuseFirst(sid: string): void
  /** The notices of the session, once there are so many; what there is when the time is over. */
  waitFor(sid: string, count: number, ms: number): Promise<readonly LogoutNotice[]>
  close(): Promise<void>
}

const MAX_BYTES = 16 * 1024
const LOOK_AGAIN_MS = 50

export async function openLogoutReceiver(): Promise<LogoutReceiver> {
  const notices = new Map<string, LogoutNotice[]>()
  const refused = new Set<string>()
  const server = createServer(async (request, response) => {
    const logoutToken = new URLSearchParams(await readBody(request)).get('logout_token') ?? ''
    const sid = sidOf(logoutToken)
    const { method = '', headers } = request
    const notice = { method, contentType: headers['content-type'] ?? '', logoutToken }
    notices.set(sid, [...(notices.get(sid) ?? []), notice])
    response.writeHead(refused.delete(sid) ? 503 : 200, { 'cache-control': 'no-store' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    uri: `http://localhost:${port}/logout`,
    refuseFirst: (sid) => void refused.add(sid),
    async waitFor(sid, count, ms) {
      const end = performance.now() + ms
      while ((notices.get(sid)?.length ?? 0) < count && performance.now() < end) {
        await sleep(LOOK_AGAIN_MS)
      }
      return notices.get(sid) ?? []
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Returns the `sid`, only to sort the notices; the modules verify the token. */
function sidOf(logoutToken: string): string {
  try {
    return String(decodeJwt(logoutToken).sid)
  } catch {
    return ''
  }
}
