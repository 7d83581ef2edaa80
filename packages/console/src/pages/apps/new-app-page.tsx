// Registers an app: one form, then the page of the app, where its first secret is made and its pages are
// checked.
/** @jsxImportSource preact */
import { createApp } from '../../api/apps.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useForm } from '../../forms/use-form.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { navigate } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { notify } from '../../shell/announcements.ts'
import { AppFields } from './app-fields.tsx'
import { bodyOf, EMPTY, validateApp } from './app-values.ts'

export default function NewAppPage({ scope }: PageProps) {
  const form = useForm({
    initial: EMPTY,
    check: validateApp,
    async save(values) {
      const app = await createApp(scope.id, bodyOf(values, true))
      notify('good', `${app.name} is registered. Make its first secret next.`)
      // The form has nothing unsaved any more when the page is left.
      setTimeout(() => navigate(scopedAddress(scope, `apps/${encodeURIComponent(app.id)}`)))
    },
  })
  return (
    <>
      <PageHead
        title="Register an app"
        crumbs={[{ label: 'Apps', address: scopedAddress(scope, 'apps') }]}
        about="You can change all of it later. The addresses must be https, or loopback while you develop."
      />
      <div class="card padded">
        <FormFrame
          form={form}
          submit="Register"
          onCancel={() => navigate(scopedAddress(scope, 'apps'))}
        >
          <AppFields form={form} />
        </FormFrame>
      </div>
    </>
  )
}
