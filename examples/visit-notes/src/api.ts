// The API of Visit Notes: the user, and the notes of the user's practice. The practice is the account
// of the verified launch, never a value that the page sends. Spec §2.5, §5.4, §5.6.
import {
  type Routes,
  readJson,
  requireIdentity,
  requireText,
  type Sessions,
} from '@chartside/app-kit/server'
import { NoteBook } from './notes.ts'

/** Of the longest note in JSON. */
const MAX_NOTE_BYTES = 32_768

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  const notes = new NoteBook()
  return {
    'GET /api/me': async (request) => {
      const { userId, name, account, ehrType } = await requireIdentity(sessions, request)
      return Response.json({ userId, name, account, ehrType })
    },

    'GET /api/notes': async (request) => {
      const { account } = await requireIdentity(sessions, request)
      return Response.json({ items: notes.list(account.id) })
    },

    'POST /api/notes': async (request) => {
      const identity = await requireIdentity(sessions, request)
      const text = requireText(await readJson(request, { maxBytes: MAX_NOTE_BYTES }), 'text')
      return Response.json(notes.add(identity, text.trim()), { status: 201 })
    },
  }
}
