// The field for the end of a membership, in the zone in which the console shows times, and what it says to the service.
// An empty field is no end.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { fieldOfMoment, momentOfField, timeChoice } from '../../session/time-zone.ts'

export interface EndFieldProps {
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
}

export function EndField({ value, error, onInput }: EndFieldProps) {
  return (
    <TextField
      label="End"
      hint="For a locum or a trainee: access ends within a second of it. Leave it empty for no end."
      name="expiresAt"
      type="datetime-local"
      autocomplete="off"
      value={value}
      error={error}
      onInput={onInput}
    />
  )
}

/** Returns the text that the field shows for an end. */
export const fieldOfEnd = (end: string | null | undefined): string =>
  fieldOfMoment(end ? Date.parse(end) : undefined, timeChoice.value)

/** The end that the field says; null for none. */
export function endOfField(text: string): string | null {
  const at = momentOfField(text, timeChoice.value)
  return at === undefined ? null : new Date(at).toISOString()
}
