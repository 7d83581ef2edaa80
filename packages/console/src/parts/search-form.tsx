// A search of one field with a button, which begins when the form is sent. What is found or refused is the
// matter of the page.
/** @jsxImportSource preact */
import { Button, TextField } from '@chartside/ui'
import { useEffect, useRef } from 'preact/hooks'
import { isAsked } from '../forms/use-open.ts'
import type { Asked } from '../route/addresses.ts'

export interface SearchFormProps {
  /** A command of the palette leads to the field. */
  readonly asked?: Asked
  readonly label: string
  readonly name: string
  readonly value: string
  readonly error?: string | undefined
  readonly placeholder?: string
  /** The word on the button, by default “Find”. */
  readonly button?: string
  readonly onInput: (value: string) => void
  readonly onSearch: () => void
}

export function SearchForm({ asked, onSearch, button = 'Find', ...field }: SearchFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (asked && isAsked(asked)) form.current?.querySelector('input')?.focus()
  }, [asked])
  return (
    <search>
      <form
        ref={form}
        class="find-launch"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch()
        }}
      >
        <TextField type="search" {...field} />
        <Button type="submit" icon="search">
          {button}
        </Button>
      </form>
    </search>
  )
}
