// The dialogs of the panel: what support asks for, and the question before work that is not saved is
// lost. The safe answer has the focus first.
/** @jsxImportSource preact */
import { Button, ConfirmDialog, CopyButton, Dialog, TextField } from '@chartside/ui'
import { useState } from 'preact/hooks'
import { browserVersion } from '../host-version.ts'
import type { PanelAction } from './actions.ts'
import { copyText } from './copy-text.ts'
import type { PanelInput, Reported } from './panel-view.ts'
import { buildProblem, findPractice, formatReport, listReport, MAX_LINE_LENGTH } from './report.ts'
import { WORDS } from './words.ts'

export type Question =
  | { readonly kind: 'report' }
  | {
      readonly kind: 'unsaved'
      /** The name of the app. */
      readonly name: string
      readonly action: PanelAction
      /** The label of the button that goes on without the work. */
      readonly button: string
    }

export interface PanelDialogsProps {
  readonly question: Question | null
  readonly input: PanelInput
  /** The version of the host. */
  readonly version: string
  readonly onClose: () => void
  readonly act: (action: PanelAction) => void
}

export function PanelDialogs({ question, input, version, onClose, act }: PanelDialogsProps) {
  const unsaved = question?.kind === 'unsaved' ? question : null
  return (
    <>
      <ConfirmDialog
        isOpen={unsaved !== null}
        title={WORDS.unsavedTitle(unsaved?.name ?? '')}
        button={unsaved?.button ?? WORDS.launchAnyway}
        cancel={WORDS.keepWorking}
        isDangerous
        onClose={onClose}
        onConfirm={() => {
          onClose()
          if (unsaved) act(unsaved.action)
        }}
      >
        <p>{WORDS.unsavedText}</p>
      </ConfirmDialog>
      <ReportDialog isOpen={question?.kind === 'report'} {...{ input, version, onClose, act }} />
    </>
  )
}

interface ReportDialogProps
  extends Pick<PanelDialogsProps, 'input' | 'version' | 'onClose' | 'act'> {
  readonly isOpen: boolean
}

function ReportDialog({ isOpen, input, version, onClose, act }: ReportDialogProps) {
  const [line, setLine] = useState('')
  /** True after a report in this dialog. */
  const [hasSent, setHasSent] = useState(false)
  const versions = { host: version, browser: browserVersion() }
  const facts = isOpen ? listReport(input, versions) : []
  const practiceId = findPractice(input)
  const close = () => {
    setLine('')
    setHasSent(false)
    onClose()
  }
  const send = (to: string) => {
    setHasSent(true)
    const problem = buildProblem(input, versions, line)
    act({ type: 'send', command: { type: 'report', practiceId: to, problem } })
  }
  const reported = hasSent ? input.reported : null
  const isDone = reported !== 'sending' && reported?.failure === null
  return (
    <Dialog
      isOpen={isOpen}
      title={WORDS.reportTitle}
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{WORDS.closeDialog}</Button>
          <CopyButton
            text={formatReport(facts, line)}
            label={WORDS.support.copy}
            copy={copyText}
            isCompact={false}
          />
          {practiceId !== null && !isDone && (
            <Button tone="primary" isBusy={reported === 'sending'} onPress={() => send(practiceId)}>
              {WORDS.reportSend}
            </Button>
          )}
        </>
      }
    >
      <p>{WORDS.reportText}</p>
      <p role="status">{describe(reported ?? null)}</p>
      <TextField
        name="line"
        label={WORDS.reportLine}
        hint={WORDS.reportLineHint}
        value={line}
        maxLength={MAX_LINE_LENGTH}
        autocomplete="off"
        onInput={setLine}
      />
      <div class="support-block">
        <dl>
          {facts.map(({ name, value }) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}

function describe(reported: Reported | null): string {
  if (reported === null) return ''
  if (reported === 'sending') return WORDS.reportSending
  return reported.failure === null ? WORDS.reportSent : WORDS.reportFailed(reported.failure)
}
