// Adds an app to the draft: one that the person finds by its name, or the app of another vendor by its id, which
// the vendor gives to its customers.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { listApps, loadApp } from '../../api/apps.ts'
import { FormDialog } from '../../forms/dialogs.tsx'
import { useForm } from '../../forms/use-form.ts'
import { RecordPicker } from '../../parts/record-picker.tsx'
import { addApp } from './draft-rules.ts'
import type { DraftEditing } from './use-draft.ts'

export interface AddAppDialogProps {
  readonly editing: DraftEditing
  readonly onClose: () => void
}

export function AddAppDialog({ editing, onClose }: AddAppDialogProps) {
  const { draft } = editing
  const isIn = (id: string) => draft.apps.some(({ appId }) => appId === id)
  const form = useForm({
    initial: { app: '', appId: '' },
    check({ app, appId }) {
      if (app !== '') return {}
      if (!/^app_[0-9a-z]{22}$/.test(appId.trim())) {
        return { appId: 'An app id begins with app_. The vendor finds it on the page of the app.' }
      }
      return isIn(appId.trim()) ? { appId: 'This app is in the draft already.' } : {}
    },
    async save({ app, appId }) {
      await editing.changeOrThrow(addApp(draft, app === '' ? appId.trim() : app))
      onClose()
    },
  })
  const { app, appId } = form.values
  return (
    <FormDialog
      isOpen
      title="Add an app"
      form={form}
      submit="Add it"
      isIncomplete={app === '' && appId.trim() === ''}
      onClose={onClose}
    >
      <RecordPicker
        label="App"
        none="Search by name"
        value={app}
        onChange={(id) => form.set('app', id ?? '')}
        search={async (text, signal) =>
          (await listApps(undefined, undefined, { signal }, text)).items.filter(
            ({ id }) => !isIn(id),
          )
        }
        nameOf={async (id, signal) => (await loadApp(id, { signal })).data.name}
      />
      {app === '' && (
        <TextField
          label="App ID"
          hint="For an app of another vendor, who gives it to you."
          name="appId"
          placeholder="app_"
          autocomplete="off"
          value={appId}
          error={form.error('appId')}
          onInput={(value) => form.set('appId', value)}
        />
      )}
    </FormDialog>
  )
}
