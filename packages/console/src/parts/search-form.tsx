// A search of one field with a button, which begins when the form is sent. What is found or refused is the
// matter of the page.
/** @jsxImportSource preact */
import { Button, TextField } from '@chartside/ui'

export interface SearchFormProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly error?: string | undefined
  readonly placeholder?: string
  /** “Find” without another word. */
  readonly button?: string
  readonly onInput: (value: string) => void
  readonly onSearch: () => void
}

export function SearchForm({ onSearch, button = 'Find', ...field }: SearchFormProps) {
  return (
    <search>
      <form
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
