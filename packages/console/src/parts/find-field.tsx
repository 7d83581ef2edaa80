// The search of a list by name: what is typed goes into the address a moment after the last key, and from there
// to the search. Links lead here with `?email=`.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { place, setQuery } from '../route/location.ts'

const WAIT_MS = 250

export interface FindFieldProps {
  readonly label: string
  readonly hint?: string | undefined
}

export function FindField({ label, hint }: FindFieldProps) {
  const { query } = place.value
  const asked = query.get('find') ?? query.get('email') ?? ''
  const text = useSignal(asked)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = () => {
    clearTimeout(timer.current)
    setQuery({ find: text.value.trim(), email: undefined })
  }
  return (
    <search>
      <form
        class="find-field"
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <TextField
          label={label}
          hint={hint}
          name="find"
          type="search"
          value={text.value}
          autocomplete="off"
          onInput={(typed) => {
            text.value = typed
            clearTimeout(timer.current)
            timer.current = setTimeout(ask, WAIT_MS)
          }}
        />
      </form>
    </search>
  )
}
