// The API that the app's own page calls: start a session from a code, renew it, say who is there,
// keep notes. Every call but the first stands on the app's own session; the tenant key is the
// account of the verified ID token, never a value that the page sends. Spec §5.4, §5.6.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, isRecord } from './app-error.ts'
import {
  AppSessions,
  readRefreshCookie,
  refreshCookie,
  type StartedSession,
} from './app-session.ts'
import type { Service } from './discovery.ts'
import { exchangeCode } from './exchange.ts'
import {
  createIdTokenVerifier,
  type IdTokenVerifier,
  type LaunchIdentity,
  ReplayStore,
  remoteKeys,
} from './id-token.ts'
import { NoteBook } from './notes.ts'
import type { Settings } from './settings.ts'

interface ApiOptions {
  readonly settings: Settings
  readonly discover: () => Promise<Service>
  readonly log: (line: string) => void
}

export type Api = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<void>

export function createApi({ settings, discover, log }: ApiOptions): Api {
  const sessions = new AppSessions()
  const replays = new ReplayStore()
  const notes = new NoteBook()
  let verifier: IdTokenVerifier | undefined

  const verify = async (idToken: string): Promise<LaunchIdentity> => {
    const { issuer, jwksUri } = await discover()
    verifier ??= createIdTokenVerifier({
      issuer,
      clientId: settings.clientId,
      keys: remoteKeys(jwksUri),
      replays,
    })
    return verifier(idToken)
  }

  const startSession: Handler = async (request, response) => {
    const { code } = await readJson(request)
    if (typeof code !== 'string' || code === '') throw missing('code')
    const tokens = await exchangeCode(code, settings)
    const identity = await verify(tokens.idToken)
    const session = sessions.start(identity)
    log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
    replyWithSession(response, session, {
      access_token: tokens.accessToken,
      id_token: tokens.idToken,
    })
  }

  const renewSession: Handler = async (request, response) => {
    const launchId = await readLaunchId(request)
    const refresh = readRefreshCookie(request.headers.cookie, launchId)
    const session = sessions.renew(refresh, launchId)
    if (!session) throw signedOut()
    replyWithSession(response, session)
  }

  const endSession: Handler = async (request, response) => {
    const launchId = await readLaunchId(request)
    response.setHeader('set-cookie', refreshCookie(launchId, '', 0))
    // The bearer has often run out by now, while the refresh cookie could go on for hours.
    const refresh = readRefreshCookie(request.headers.cookie, launchId)
    const identity = findBearer(request) ?? sessions.findRefresh(refresh, launchId)
    if (identity?.launchId !== launchId) throw signedOut()
    sessions.endLaunch(launchId)
    log(`signed out ${identity.name ?? identity.userId}`)
    reply(response, 200, { ended: true })
  }

  const showMe: Handler = async (request, response) => {
    const { userId, name, account, ehrType } = authenticated(request)
    reply(response, 200, { userId, name, account, ehrType })
  }

  const listNotes: Handler = async (request, response) => {
    reply(response, 200, { items: notes.list(authenticated(request)) })
  }

  const addNote: Handler = async (request, response) => {
    const identity = authenticated(request)
    const { text } = await readJson(request)
    if (typeof text !== 'string' || text.trim() === '') throw missing('text')
    reply(response, 201, notes.add(identity, text.trim()))
  }

  const findBearer = (request: IncomingMessage): LaunchIdentity | undefined => {
    const [, bearer] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
    return sessions.find(bearer)
  }

  const authenticated = (request: IncomingMessage): LaunchIdentity => {
    const identity = findBearer(request)
    if (!identity) throw signedOut()
    return identity
  }

  const routes: Readonly<Record<string, Handler>> = {
    'POST /api/session': startSession,
    'POST /api/session/renew': renewSession,
    'DELETE /api/session': endSession,
    'GET /api/me': showMe,
    'GET /api/notes': listNotes,
    'POST /api/notes': addNote,
  }

  return async (request, response, path) => {
    const route = routes[`${request.method} ${path}`]
    if (!route) throw new AppError(404, { error: 'not_found', cause: path, fix: 'Check the path.' })
    if (request.method !== 'GET') refuseForeignOrigin(request, settings.publicUrl)
    await route(request, response)
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The refresh cookie is SameSite=None, so a write must come from a page of this app. */
function refuseForeignOrigin(request: IncomingMessage, publicUrl: string): void {
  if (request.headers.origin === publicUrl) return
  throw new AppError(403, {
    error: 'foreign_origin',
    cause: 'The request did not come from a page of this app.',
    fix: `Open the app at ${publicUrl}, or set PUBLIC_URL to the address in use.`,
  })
}

function replyWithSession(
  response: ServerResponse,
  session: StartedSession,
  tokens: Record<string, string> = {},
): void {
  response.setHeader('set-cookie', refreshCookie(session.launchId, session.refresh))
  reply(response, 200, {
    ...tokens,
    session: {
      token: session.bearer,
      expires_in: session.expiresInSeconds,
      launch_id: session.launchId,
    },
  })
}

/** Which launch the page speaks for: the cookie jar is shared by every tab of this origin. */
async function readLaunchId(request: IncomingMessage): Promise<string> {
  const { launch_id: launchId } = await readJson(request)
  if (typeof launchId !== 'string' || launchId === '') throw missing('launch_id')
  return launchId
}

const MAX_BODY_BYTES = 32_768

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw unreadable(413)
    chunks.push(chunk)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return isRecord(body) ? body : {}
  } catch {
    throw unreadable(400)
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(JSON.stringify(body))
}

const missing = (field: string): AppError =>
  new AppError(400, {
    error: 'invalid_request',
    cause: `The request has no "${field}".`,
    fix: `Send JSON with a "${field}".`,
  })

const unreadable = (status: number): AppError =>
  new AppError(status, {
    error: 'invalid_request',
    cause: 'The request body is not JSON of a sensible size.',
    fix: 'Send a small JSON object.',
  })

const signedOut = (): AppError =>
  new AppError(401, {
    error: 'session_ended',
    cause: 'This Visit Notes session has ended.',
    fix: 'Launch the app again.',
  })
