// Adds an app to the draft: one that the person sees, or the app of another vendor by its id, which the
// vendor gives to its customers.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { SelectField, TextField } from '@chartside/ui'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { addApp } from './draft-rules.ts'
import type { DraftEditing } from './use-draft.ts'

const OTHER = 'other'

export interface AddAppDialogProps {
  readonly editing: DraftEditing
  readonly apps: readonly App[]
  readonly onClose: () => void
}

export function AddAppDialog({ editing, apps, onClose }: AddAppDialogProps) {
  const { draft } = editing
  const isIn = (id: string) => draft.apps.some(({ appId }) => appId === id)
  const left = apps.filter(({ id }) => !isIn(id))
  const form = useForm({
    initial: { app: left[0]?.id ?? OTHER, appId: '' },
    check({ app, appId }) {
      if (app !== OTHER) return {}
      if (!/^app_[0-9a-z]{22}$/.test(appId.trim())) {
        return { appId: 'An app id begins with app_. The vendor finds it on the page of the app.' }
      }
      return isIn(appId.trim()) ? { appId: 'This app is in the draft already.' } : {}
    },
    async save({ app, appId }) {
      await editing.changeOrThrow(addApp(draft, app === OTHER ? appId.trim() : app))
      onClose()
    },
  })
  return (
    <FormDialog isOpen title="Add an app" form={form} submit="Add it" onClose={onClose}>
      <SelectField
        label="App"
        name="app"
        value={form.values.app}
        options={[
          ...left.map(({ id, name }) => ({ value: id, label: name })),
          { value: OTHER, label: 'An app of another vendor…' },
        ]}
        onChange={(value) => form.set('app', value)}
      />
      {form.values.app === OTHER && (
        <TextField
          label="App ID"
          hint="Ask the vendor for it."
          name="appId"
          placeholder="app_"
          autocomplete="off"
          value={form.values.appId}
          error={form.error('appId')}
          onInput={(value) => form.set('appId', value)}
        />
      )}
    </FormDialog>
  )
}
