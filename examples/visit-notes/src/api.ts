// What the app's page asks for: a session from a code, who is there, notes. Every call but the first
// stands on the app's own session; the tenant key is the account of the verified ID token, never a
// value that the page sends. Spec §5.1, §5.4, §5.6.
import type { AppKit, LaunchIdentity, Sessions } from '@chartside/app-kit/server'
import { Problem } from '@chartside/example-app-shell/problem'
import { NoteBook } from './notes.ts'

interface ApiOptions {
  readonly kit: AppKit
  readonly sessions: Sessions
  readonly redirectUri: string
  readonly log: (line: string) => void
}

export function createApi({ kit, sessions, redirectUri, log }: ApiOptions) {
  const notes = new NoteBook()

  const authenticated = async (request: Request): Promise<LaunchIdentity> => {
    const identity = await sessions.authenticate(request)
    if (identity) return identity
    throw new Problem(401, {
      error: 'session_ended',
      cause: 'This Visit Notes session has ended.',
      fix: 'Launch the app again.',
    })
  }

  return {
    /** The exchange, the proof of who is there, and the app's own session, in this order. */
    async startSession(request: Request): Promise<Response> {
      const { code, code_verifier: codeVerifier } = await readJson(request)
      if (typeof code !== 'string' || code === '') throw missing('code')
      if (typeof codeVerifier !== 'string') throw missing('code_verifier')
      const { accessToken, idToken = '' } = await kit.exchange(code, { codeVerifier, redirectUri })
      const identity = await kit.verifyIdToken(idToken)
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      const session = await sessions.start(identity)
      return session.respond({ access_token: accessToken, id_token: idToken })
    },

    async showMe(request: Request): Promise<Response> {
      const { userId, name, account, ehrType } = await authenticated(request)
      return Response.json({ userId, name, account, ehrType })
    },

    async listNotes(request: Request): Promise<Response> {
      return Response.json({ items: notes.list(await authenticated(request)) })
    },

    async addNote(request: Request): Promise<Response> {
      const identity = await authenticated(request)
      const { text } = await readJson(request)
      if (typeof text !== 'string' || text.trim() === '') throw missing('text')
      return Response.json(notes.add(identity, text.trim()), { status: 201 })
    },
  }
}

async function readJson(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => null)
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

const missing = (field: string): Problem =>
  new Problem(400, {
    error: 'invalid_request',
    cause: `The request has no "${field}".`,
    fix: `Send JSON with a "${field}".`,
  })
