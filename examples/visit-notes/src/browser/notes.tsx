// The form for a note, and the notes of the practice. What is typed is kept as a draft on the server
// until the note is saved, so no end of a launch and no other chart loses it. The server decides which practice, by its
// own session; this page only shows the notes.
import type { AppSession } from '@chartside/app-kit/browser'
import { describeProblem } from '@chartside/app-kit/page'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Note } from '../notes.ts'
import type { Visit } from './visit.ts'

const TEMPLATES: Readonly<Record<string, string>> = {
  Blank: '',
  'Follow-up': 'Interval history:\n\nToday:\n\nPlan:\n',
  'Annual visit': 'Concerns:\n\nScreening due:\n\nPlan:\n',
}

interface NotesProps {
  readonly session: AppSession
  readonly saved: readonly Note[]
  readonly draft: Visit['draft']
}

export function Notes({ session, saved, draft }: NotesProps) {
  const [notes, setNotes] = useState(saved)
  const [text, setText] = useState(draft.text)
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  // Another chart has a text of its own.
  useEffect(() => draft.kept.onText(setText), [draft])

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setProblem('')
    try {
      const note = await session.request<Note>('POST', '/api/notes', { text })
      setNotes((others) => [note, ...others])
      // Another chart may have been opened meanwhile.
      if (field.current?.value === text) write('')
    } catch (error) {
      setProblem(`The note was not saved. ${describeProblem(error).advice}`)
    }
  }
  const write = (typed: string) => {
    setText(typed)
    draft.kept.write(typed)
  }
  const fillIn = (name: string) => {
    write(TEMPLATES[name] ?? '')
    field.current?.focus()
  }

  return (
    <section aria-label="Notes">
      <form onSubmit={save}>
        <div className="row">
          <label htmlFor="template">Template</label>
          <select id="template" onChange={({ target }) => fillIn(target.value)}>
            {Object.keys(TEMPLATES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <label htmlFor="note">Note</label>
        <textarea
          id="note"
          ref={field}
          rows={6}
          required
          maxLength={4000}
          value={text}
          onChange={({ target }) => write(target.value)}
        />
        <button type="submit">Save note</button>
        <p className="problem" role="alert">
          {problem}
        </p>
      </form>
      <ol className="notes" aria-live="polite">
        {notes.map(({ id, text, author, at }) => (
          <li key={id}>
            <p>{text}</p>
            <small>
              {author} ·{' '}
              <time dateTime={at}>
                {new Date(at).toLocaleTimeString([], { timeStyle: 'short' })}
              </time>
            </small>
          </li>
        ))}
      </ol>
    </section>
  )
}
