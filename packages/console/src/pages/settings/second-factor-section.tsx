// The second factor of the signed-in person: whether it is on, setting it up with an authenticator app,
// new recovery codes, and turning it off. Recovery codes are shown once.
/** @jsxImportSource preact */
import { Button, Pill } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import {
  beginSecondFactor,
  loadSecondFactor,
  type NewSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactor,
} from '../../api/credentials.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { notify } from '../../shell/announcements.ts'
import { CodeDialog } from './code-dialog.tsx'
import { RecoveryCodesCard } from './recovery-codes.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'

export function SecondFactorSection() {
  const load = useRecord((signal) => loadSecondFactor({ signal }), 'second-factor')
  const fresh = useSignal<NewSecondFactor | undefined>(undefined)
  const codes = useSignal<readonly string[] | undefined>(undefined)
  const pending = useSignal<'replace' | 'remove' | undefined>(undefined)
  const beginning = useAction()
  const begin = () =>
    beginning.run(async () => {
      fresh.value = await beginSecondFactor()
    })
  const show = (made: readonly string[]) => {
    fresh.value = undefined
    pending.value = undefined
    codes.value = made
    load.reload()
  }
  return (
    <Section
      title="Second factor"
      about="A code of an authenticator app beside your password. A passkey needs none: it is two factors by itself."
    >
      {beginning.problem && <FormProblem problem={beginning.problem} />}
      {codes.value && (
        <RecoveryCodesCard
          codes={codes.value}
          onKept={() => {
            codes.value = undefined
          }}
        />
      )}
      {fresh.value ? (
        <SecondFactorSetup
          factor={fresh.value}
          onConfirmed={show}
          onCancel={() => {
            fresh.value = undefined
          }}
        />
      ) : (
        <Loaded load={load} what="your second factor">
          {(factor) => (
            <div class="card padded spread">
              <div class="stack">
                <FactorState factor={factor} />
                <p class="quiet">{describe(factor)}</p>
              </div>
              <div class="row">
                {factor.state === 'on' ? (
                  <>
                    <Button
                      onPress={() => {
                        pending.value = 'replace'
                      }}
                    >
                      New recovery codes
                    </Button>
                    {!factor.isRequired && (
                      <Button
                        tone="danger"
                        onPress={() => {
                          pending.value = 'remove'
                        }}
                      >
                        Turn off
                      </Button>
                    )}
                  </>
                ) : (
                  <Button tone="primary" isBusy={beginning.isBusy} onPress={() => void begin()}>
                    Set up
                  </Button>
                )}
              </div>
            </div>
          )}
        </Loaded>
      )}
      <CodeDialog
        isOpen={pending.value === 'replace'}
        title="Make new recovery codes"
        submit="Make new codes"
        text="The codes that you have now stop working. Enter a code of your authenticator app."
        onClose={() => {
          pending.value = undefined
        }}
        send={async (code) => show((await replaceRecoveryCodes(code)).recoveryCodes)}
      />
      <CodeDialog
        isOpen={pending.value === 'remove'}
        title="Turn the second factor off"
        submit="Turn it off"
        text="Your password alone then signs you in. Enter a code of your authenticator app."
        onClose={() => {
          pending.value = undefined
        }}
        send={async (code) => {
          await removeSecondFactor(code)
          pending.value = undefined
          load.reload()
          notify('good', 'The second factor is off.')
        }}
      />
    </Section>
  )
}

function FactorState({ factor: { state, isRequired } }: { readonly factor: SecondFactor }) {
  if (state === 'on') {
    return (
      <Pill tone="good" icon="check">
        On
      </Pill>
    )
  }
  return (
    <Pill tone={isRequired ? 'warn' : 'quiet'} icon={isRequired ? 'alert' : 'dash'}>
      {isRequired ? 'Off, but required' : 'Off'}
    </Pill>
  )
}

function describe({ state, isRequired, recoveryCodesLeft: left }: SecondFactor): string {
  if (state !== 'on') {
    return isRequired
      ? 'An account of yours, or this platform, requires it. Set it up now.'
      : 'A person who learns your password can sign in as you.'
  }
  const codes = left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`
  return isRequired ? `${codes} It cannot be turned off, since it is required.` : codes
}
