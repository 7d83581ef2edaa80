// The reason of a stop: who reads it is the hint, what is missing goes with the next key. The dialog around it sends
// it.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import type { StopApp } from './use-stop-app.ts'

export const ReasonField = ({ stop, hint }: { readonly stop: StopApp; readonly hint: string }) => (
  <TextField
    label="Reason"
    hint={`${hint} Name no patient.`}
    name="reason"
    autocomplete="off"
    value={stop.reason.value}
    error={stop.error.value}
    onInput={(value) => {
      stop.reason.value = value
      stop.error.value = undefined
    }}
  />
)
