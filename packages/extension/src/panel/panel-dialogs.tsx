// The dialogs of the panel: what support asks for, and the question before work that is not saved is
// lost. The safe answer has the focus first.
/** @jsxImportSource preact */
import { Button, ConfirmDialog, CopyButton, Dialog, TextField } from '@chartside/ui'
import { useState } from 'preact/hooks'
import { hostVersion } from '../host-version.ts'
import type { PanelAction } from './actions.ts'
import { copyText } from './copy-text.ts'
import type { PanelInput } from './panel-view.ts'
import { formatReport, listReport, MAX_LINE_LENGTH } from './report.ts'
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
  readonly onClose: () => void
  readonly act: (action: PanelAction) => void
}

export function PanelDialogs({ question, input, onClose, act }: PanelDialogsProps) {
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
      <ReportDialog isOpen={question?.kind === 'report'} input={input} onClose={onClose} />
    </>
  )
}

interface ReportDialogProps {
  readonly isOpen: boolean
  readonly input: PanelInput
  readonly onClose: () => void
}

function ReportDialog({ isOpen, input, onClose }: ReportDialogProps) {
  const [line, setLine] = useState('')
  const facts = isOpen ? listReport(input, hostVersion()) : []
  const close = () => {
    setLine('')
    onClose()
  }
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
        </>
      }
    >
      <p>{WORDS.reportText}</p>
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
