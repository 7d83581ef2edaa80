// One app: whether it is on, what identifies it, how its launches do, its secrets, whether its pages work in the panel, and
// its registration.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { CopyButton } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { changeApp, loadApp } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useForm } from '../../forms/use-form.ts'
import { ENVIRONMENT } from '../../installation.ts'
import { useRecord } from '../../load/use-record.ts'
import { AppState } from '../../parts/app.tsx'
import { copyText } from '../../parts/copy-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, isSeenIn, type Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'
import { AppFields } from './app-fields.tsx'
import { SwitchedOffStrip, SwitchOffButton } from './app-switch.tsx'
import { type AppValues, bodyOf, validateApp, valuesOf } from './app-values.ts'
import { DeleteSection } from './delete-section.tsx'
import { FaultRunsSection } from './fault-runs-section.tsx'
import { HealthSection } from './health-section.tsx'
import { LogoutSection } from './logout-section.tsx'
import { PreflightSection } from './preflight-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { StagingSection } from './staging-section.tsx'
import { EhrStopsStrip, StoppedStrip } from './stopped-strip.tsx'

export default function AppPage({ params, scope }: PageProps) {
  const id = params.id ?? ''
  const load = useRecord((signal) => loadApp(id, { signal }), id)
  return (
    <Loaded load={load} what="the app">
      {(read) => <OneApp read={read} scope={scope} onChanged={load.replace} />}
    </Loaded>
  )
}

interface OneAppProps {
  readonly read: Answered<App>
  readonly scope: Scope
  readonly onChanged: (read: Answered<App>) => void
}

function OneApp({ read, scope, onChanged }: OneAppProps) {
  const app = read.data
  const mayDevelop = isAllowedIn(scope, 'develop')
  const stops = useSignal(0)
  return (
    <>
      <PageHead
        title={app.name}
        crumbs={[{ label: 'Apps', address: scopedAddress(scope, 'apps') }]}
        actions={
          <>
            <AppState app={app} />
            {mayDevelop && (
              <SwitchOffButton
                read={read}
                onChanged={onChanged}
                onStopped={() => {
                  stops.value += 1
                }}
              />
            )}
          </>
        }
      />
      <SwitchedOffStrip read={read} scope={scope} onChanged={onChanged} />
      {isSeenIn(scope, 'develop') && <EhrStopsStrip app={app} scope={scope} turn={stops.value} />}
      {isSeenIn(scope, 'run') && <StoppedStrip app={app} scope={scope} turn={stops.value} />}
      <Section title="Credentials">
        <div class="card padded">
          <dl class="facts">
            <Fact label="Client ID" value={app.clientId} />
            <Fact label="App ID" value={app.id} />
          </dl>
        </div>
      </Section>
      {isSeenIn(scope, 'develop') && <HealthSection app={app} scope={scope} />}
      {mayDevelop && <SecretsSection app={app} />}
      {mayDevelop && <SettingsSection app={app} />}
      {mayDevelop && <PreflightSection app={app} />}
      {mayDevelop && ENVIRONMENT === 'staging' && <FaultRunsSection app={app} scope={scope} />}
      {mayDevelop && <LogoutSection app={app} />}
      {mayDevelop && <StagingSection app={app} scope={scope} onChanged={onChanged} />}
      {mayDevelop && <Registration read={read} onChanged={onChanged} />}
      {mayDevelop && <DeleteSection app={app} scope={scope} />}
    </>
  )
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class="copied">
        <code>{value}</code>
        <CopyButton text={value} label={`Copy the ${label}`} copy={copyText} />
      </dd>
    </div>
  )
}

const LABELS: readonly (readonly [keyof AppValues & string, string])[] = [
  ['name', 'Name'],
  ['exchange', 'Option'],
  ['launchUrl', 'Launch URL'],
  ['redirectUris', 'Redirect URIs'],
  ['tokenEndpoint', 'Token endpoint'],
  ['allowedIframeUrls', 'Allowed iframe URLs'],
  ['workerLaunchUrl', 'Worker launch URL'],
  ['backchannelLogoutUri', 'Logout address'],
  ['iconUrl', 'Icon URL'],
  ['requirePkce', 'Require PKCE'],
  ['isEs256', 'ID tokens by ES256'],
]

function Registration({ read, onChanged }: Omit<OneAppProps, 'scope'>) {
  const { id } = read.data
  const send = async (values: AppValues, ifMatch: string | undefined) => {
    onChanged(await changeApp(id, bodyOf(values, false), ifMatch))
    notify('good', 'Saved. Launches that open from now on use it.')
  }
  const form = useForm({
    initial: valuesOf(read.data),
    check: validateApp,
    save: (values) => send(values, read.etag),
  })
  const theirs = useRecord((signal) => loadApp(id, { signal }), form.isConflict ? 'now' : 'then')
  const theirValues = theirs.data && valuesOf(theirs.data.data)
  return (
    <Section title="Registration">
      <div class="card padded">
        <FormFrame
          form={form}
          submit="Save"
          conflict={
            theirValues && theirs.data
              ? {
                  rows: LABELS.map(([name, label]) => ({
                    label,
                    theirs: String(theirValues[name]),
                    yours: String(form.values[name]),
                  })),
                  onTakeTheirs: () => {
                    if (theirs.data) onChanged(theirs.data)
                    form.reset(theirValues)
                  },
                  onKeepYours: () => {
                    void send(form.values, undefined).then(() => form.reset(form.values))
                  },
                }
              : undefined
          }
        >
          <AppFields form={form} />
        </FormFrame>
      </div>
    </Section>
  )
}
