// What the app's page asks for: a session from a code, who is there, notes. Every call but the first
// stands on the app's own session; the tenant key is the account of the verified ID token, never a
// value that the page sends. Spec §5.1, §5.4, §5.6.
import {
  type AppKit,
  type LaunchIdentity,
  readJson,
  type Sessions,
} from '@chartside/app-kit/server'
import { requireText } from '@chartside/example-app-shell/fields'
import { Problem } from '@chartside/example-app-shell/problem'
import { NoteBook } from './notes.ts'

/** Of the longest note in JSON. */
const MAX_NOTE_BYTES = 32_768

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
      const body = await readJson(request)
      const code = requireText(body, 'code')
      const codeVerifier = requireText(body, 'code_verifier')
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
      const text = requireText(await readJson(request, { maxBytes: MAX_NOTE_BYTES }), 'text')
      return Response.json(notes.add(identity, text.trim()), { status: 201 })
    },
  }
}
