// The fields of an app, for registration and for changes: each says what it is for, and those that belong
// to one option only are shown for that option.
/** @jsxImportSource preact */
import { TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { CheckboxChoice } from '../../forms/checkbox-choice.tsx'
import type { Form } from '../../forms/use-form.ts'
import {
  type AppValues,
  canBeSmart,
  EXCHANGES,
  usesIframes,
  usesTokenEndpoint,
} from './app-values.ts'

/** The properties of the text field of a value. */
type TextOf = (name: keyof AppValues & string) => {
  readonly name: string
  readonly value: string
  readonly error: ReturnType<Form<AppValues>['error']>
  readonly onInput: (value: string) => void
}

export function AppFields({ form }: { readonly form: Form<AppValues> }) {
  const { values } = form
  const text: TextOf = (name) => ({
    name,
    value: String(values[name]),
    error: form.error(name),
    onInput: (value: string) => form.set(name, value as never),
  })
  return (
    <>
      <TextField label="Name" hint="Providers see it in the panel." {...text('name')} />
      <ExchangeChoice form={form} />
      <TextField
        label="Launch URL"
        type="url"
        hint={
          <>
            The panel opens it in a frame and adds <code>launch_id</code>. Leave it empty for an app
            without a page.
          </>
        }
        placeholder="https://notes.example/launch"
        {...text('launchUrl')}
      />
      <TextField
        label="Redirect URIs"
        rows={3}
        hint={
          usesIframes(values)
            ? 'The callback address of your identity provider. One on a line; compared character by character.'
            : 'Where the browser brings the code. One on a line; compared character by character.'
        }
        placeholder="https://notes.example/callback"
        {...text('redirectUris')}
      />
      {usesTokenEndpoint(values) && (
        <TextField
          label="Token endpoint"
          type="url"
          hint={
            <>
              An address of your own server. The SDK posts <code>{'{"code": "…"}'}</code> to it, and
              it answers with the tokens.
            </>
          }
          placeholder="https://notes.example/token"
          {...text('tokenEndpoint')}
        />
      )}
      {usesIframes(values) && (
        <TextField
          label="Allowed iframe URLs"
          rows={2}
          hint="The origin of your identity provider, whose sign-in page opens inside the panel. One on a line."
          placeholder="https://login.example/"
          {...text('allowedIframeUrls')}
        />
      )}
      <MoreFields form={form} text={text} />
    </>
  )
}

function MoreFields({ form, text }: { readonly form: Form<AppValues>; readonly text: TextOf }) {
  const { values } = form
  const isSmart = values.isSmart && canBeSmart(values)
  // What a refusal has opened stays open while the person mends it.
  const isMoreOpen = useSignal(false)
  return (
    <details
      class="more-fields"
      open={isMoreOpen.value || form.error('jwks') !== undefined}
      onToggle={(event) => {
        isMoreOpen.value = event.currentTarget.open
      }}
    >
      <summary>Worker, icon, SMART, PKCE, signatures, public keys and logout</summary>
      <div class="form">
        <TextField
          label="Worker launch URL"
          type="url"
          hint="For an app that works in the background: opened without a page as soon as the EHR is open."
          {...text('workerLaunchUrl')}
        />
        <TextField label="Icon URL" type="url" hint="Square, SVG or PNG." {...text('iconUrl')} />
        <TextField
          label="Logout address"
          type="url"
          hint="Your server is notified here when an EHR session ends. At an origin that is registered above."
          placeholder="https://notes.example/backchannel-logout"
          {...text('backchannelLogoutUri')}
        />
        {canBeSmart(values) && (
          <CheckboxChoice
            title="SMART launch"
            isChecked={values.isSmart}
            onChange={(isOn) => form.set('isSmart', isOn)}
          >
            For a SMART App Launch app without the SDK: the Launch URL gets <code>launch</code> and{' '}
            <code>iss</code> too, and PKCE is required.
          </CheckboxChoice>
        )}
        {form.error('launchStyle') && <span class="field-error">{form.error('launchStyle')}</span>}
        <CheckboxChoice
          title="Require PKCE"
          isDisabled={isSmart}
          isChecked={values.requirePkce || isSmart}
          onChange={(isOn) => form.set('requirePkce', isOn)}
        >
          Refuses an authorize request without a code challenge. The app kit and most libraries send
          one.
        </CheckboxChoice>
        <CheckboxChoice
          title="ID tokens signed with ES256"
          isChecked={values.isEs256}
          onChange={(isOn) => form.set('isEs256', isOn)}
        >
          Quicker than RS256, which every library takes without a setting. Your server must expect
          it: change both at the same time.
        </CheckboxChoice>
        <TextField
          label="Public keys"
          rows={4}
          hint={
            <>
              For a server that signs with a private key (<code>private_key_jwt</code>) in place of
              a client secret: a JSON Web Key Set with RSA or P-256 keys, each with a{' '}
              <code>kid</code>.
            </>
          }
          placeholder={'{"keys": [{"kty": "EC", "crv": "P-256", "kid": "…", "x": "…", "y": "…"}]}'}
          {...text('jwks')}
        />
      </div>
    </details>
  )
}

function ExchangeChoice({ form }: { readonly form: Form<AppValues> }) {
  return (
    <fieldset class="choices">
      <legend>Who exchanges the code?</legend>
      {EXCHANGES.map(({ value, label, text }) => (
        <label key={value} class="choice">
          <input
            type="radio"
            name="exchange"
            value={value}
            checked={form.values.exchange === value}
            onChange={() => form.set('exchange', value)}
          />
          <span>
            <strong>{label}</strong>
            <small class="below">{text}</small>
          </span>
        </label>
      ))}
      {form.error('exchange') && <span class="field-error">{form.error('exchange')}</span>}
    </fieldset>
  )
}
