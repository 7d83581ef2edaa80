// Tries the patterns of charts out on an address that a person types: the same rules as in the browser of a
// provider. Nothing of the address is stored or sent.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { describeFound } from '../../parts/chart-words.ts'

export function ChartTryOut({ patterns }: { readonly patterns: readonly string[] }) {
  const address = useSignal('')
  return (
    <div>
      <TextField
        label="Try an address"
        hint="Of a chart in this EHR. It is not saved."
        name="tryChart"
        autocomplete="off"
        placeholder="https://ehr.example/patients/7/notes"
        value={address.value}
        onInput={(value) => {
          address.value = value
        }}
      />
      <p class="quiet" role="status">
        {describeFound(patterns, address.value.trim())}
      </p>
    </div>
  )
}
