// A field for text that must not get lost: what is typed is kept on this app's server as a draft of
// this person in this practice, and shown again after the next launch. The app kit's createDraft owns
// when to save. Specification §8: a token ends, and the app is launched again.
import {
  type AppSession,
  createDraft,
  type Draft,
  type DraftState,
} from '@chartside/app-kit/browser'
import type { ServiceSDK } from '@chartside/sdk'
import { useEffect, useRef, useState } from 'react'

interface DraftFieldProps {
  readonly session: AppSession
  readonly sdk: ServiceSDK
  /** One for each field: `a-z 0-9 -`. */
  readonly name: string
  readonly label: string
}

const WORDS: Readonly<Record<DraftState, string>> = {
  saved: 'Kept',
  unsaved: 'Not kept yet',
  failed: 'Not kept yet: the server did not answer. It is tried again.',
}

export function DraftField({ session, sdk, name, label }: DraftFieldProps) {
  const [text, setText] = useState<string>()
  const [state, setState] = useState<DraftState>()
  const draft = useRef<Draft>(null)

  useEffect(() => {
    const opened = createDraft({ session, sdk, name, onState: setState })
    draft.current = opened
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
      <small role="status">{state && WORDS[state]}</small>
    </div>
  )
}
