// Sets the second factor up: the code to scan as a picture, the same secret to type, and the field for
// the first code. The picture is an image, so no markup of the answer becomes part of the page.
/** @jsxImportSource preact */
import { CopyButton, TextField } from '@chartside/ui'
import { confirmSecondFactor, type NewSecondFactor } from '../../api/credentials.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useForm } from '../../forms/use-form.ts'
import { copyText } from '../../parts/copy-text.ts'

export interface SecondFactorSetupProps {
  readonly factor: NewSecondFactor
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void
  readonly onCancel: () => void
}

export function SecondFactorSetup({ factor, onConfirmed, onCancel }: SecondFactorSetupProps) {
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) =>
      /^\d{6}$/.test(code.replaceAll(' ', '')) ? {} : { code: 'Enter the six digits.' },
    async save({ code }) {
      onConfirmed((await confirmSecondFactor(code.replaceAll(' ', ''))).recoveryCodes)
    },
  })
  const grouped = factor.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return (
    <div class="card padded factor-setup">
      <img
        class="qr"
        alt="Code to scan with an authenticator app"
        src={`data:image/svg+xml,${encodeURIComponent(factor.qrCode)}`}
      />
      <div class="stack">
        <ol class="numbered">
          <li>Open an authenticator app on your telephone and add an account.</li>
          <li>Scan the picture, or type this secret:</li>
        </ol>
        <p class="row">
          <code class="secret-text">{grouped}</code>
          <CopyButton text={factor.secret} label="Copy" copy={copyText} />
        </p>
        <FormFrame form={form} submit="Turn it on" onCancel={onCancel}>
          <TextField
            label="The six digits that the app shows"
            name="code"
            autocomplete="one-time-code"
            value={form.values.code}
            error={form.error('code')}
            onInput={(value) => form.set('code', value)}
          />
        </FormFrame>
      </div>
    </div>
  )
}
