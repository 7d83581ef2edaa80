// The API of Visit Notes: the user, the notes of the user's practice, and what the user has not finished. The practice is the
// account of the verified launch, never a value that the page sends. Spec §2.5, §5.4, §5.6.
import { createDrafts, readJson, type Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { requireText } from './fields.ts'
import { NoteBook } from './notes.ts'
import { respondText } from './pages.ts'
import { requireIdentity } from './require-identity.ts'
import { startPage } from './start-page.ts'

/** Of the longest note in JSON. */
const MAX_NOTE_BYTES = 32_768

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  const notes = new NoteBook()
  const drafts = createDrafts({ sessions })
  return {
    'GET /api/drafts': drafts.load,
    'PUT /api/drafts': drafts.save,

    'GET /': async () => respondText(startPage, 'text/html'),

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
