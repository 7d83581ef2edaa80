// The field of ../page/draft-field.ts as a component: what is typed is kept on this app's server as a
// draft, and shown again after the next launch. createDraft owns when to save. Specification §8.
import { useEffect, useRef, useState } from 'react'
import { createDraft, type Draft, type DraftState } from '../draft.ts'
import { DRAFT_WORDS } from '../draft-words.ts'
import type { DraftFieldOptions } from '../page/draft-field.ts'

/**
 * Shows a labeled field that saves what is typed; it is disabled until its draft is loaded. Never throws: a
 * draft that cannot be loaded shows below the field. Spec §8.
 * @example <DraftField session={session} sdk={sdk} name="note" label="Your note" />
 */
export function DraftField({ session, sdk, name, label }: DraftFieldOptions) {
  const [text, setText] = useState<string>()
  const [state, setState] = useState<DraftState>()
  const draft = useRef<Draft>(null)

  useEffect(() => {
    const opened = createDraft({ session, sdk, name, onState: setState })
    draft.current = opened
    opened.onText(setText)
    opened.load().then(setText, () => setState('failed'))
    return () => opened.stop()
  }, [session, sdk, name])

  const write = (typed: string) => {
    setText(typed)
    draft.current?.write(typed)
  }
  return (
    <div className="draft">
      <label htmlFor={`draft-${name}`}>{label}</label>
      <textarea
        id={`draft-${name}`}
        rows={4}
        maxLength={8000}
        disabled={text === undefined}
        value={text ?? ''}
        onChange={({ target }) => write(target.value)}
      />
      <small role="status">{state && DRAFT_WORDS[state]}</small>
    </div>
  )
}
