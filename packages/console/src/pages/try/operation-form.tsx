// The form of one operation: fields for its parameters and its body, the same request as a command, and the
// answer beside it. Reading runs at once; what changes something asks first and says what.
/** @jsxImportSource preact */
import { Button, CodeBlock, ConfirmDialog } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { ApiDocument } from '../../api/document.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { BASE } from '../../installation.ts'
import { copyText } from '../../parts/copy-text.ts'
import type { Scope } from '../../session/scopes.ts'
import { announce } from '../../shell/announcements.ts'
import { AnswerView } from './answer-view.tsx'
import type { Operation } from './operations.ts'
import { buildCurl, type PreparedRequest } from './request.ts'
import { SchemaField } from './schema-field.tsx'
import type { FormField } from './schema-fields.ts'
import { useOperation } from './use-operation.ts'

export interface OperationFormProps {
  readonly operation: Operation
  readonly document: ApiDocument
  readonly scope: Scope
}

export function OperationForm({ operation, document, scope }: OperationFormProps) {
  const { method, path, answersJson } = operation
  const isReading = method === 'GET'
  const state = useOperation(operation, document, scope)
  const { inAddress, inBody, request, answer } = state
  const pending = useSignal<PreparedRequest | undefined>(undefined)
  const submit = (event: Event) => {
    event.preventDefault()
    if (!state.isComplete) {
      state.showErrors()
      announce('A field is missing or wrong.')
    } else if (isReading) void state.run()
    else pending.value = request
  }
  const fieldset = (some: readonly FormField[]) =>
    some.map((field) => (
      <SchemaField
        key={field.key}
        field={field}
        text={state.textOf(field)}
        error={state.errorOf(field)}
        onChange={(text) => state.setText(field, text)}
      />
    ))
  return (
    <div class="try">
      <form class="form" noValidate onSubmit={submit}>
        <OperationLine method={method} path={path} />
        {fieldset(inAddress)}
        {inBody.length > 0 && <h2>Body</h2>}
        {fieldset(inBody)}
        {state.problem && <FormProblem problem={state.problem} />}
        <div class="form-actions">
          {answersJson && (
            <Button type="submit" tone="primary" isBusy={state.isBusy}>
              {isReading ? 'Send' : 'Send …'}
            </Button>
          )}
          {inBody.length > 0 && <Button onPress={state.fillInExample}>Fill in the example</Button>}
          <a
            class="button bare"
            href={`${BASE}/doc#${operation.id}`}
            target="_blank"
            rel="noreferrer"
          >
            Reference
          </a>
        </div>
        {!answersJson && (
          <p class="quiet">
            It answers with a stream or a file, which this page does not show. Use the command.
          </p>
        )}
      </form>
      <div class="try-side">
        <CodeBlock title="As a command" text={buildCurl(request)} copy={copyText} />
        {answer && <AnswerView key={answer.sentAt} answer={answer} />}
      </div>
      <ConfirmRequest
        operation={operation}
        scope={scope}
        request={pending.value}
        onClose={() => {
          pending.value = undefined
        }}
        onConfirm={() => {
          pending.value = undefined
          void state.run()
        }}
      />
    </div>
  )
}

interface ConfirmRequestProps {
  readonly operation: Operation
  readonly scope: Scope
  readonly request: PreparedRequest | undefined
  readonly onClose: () => void
  readonly onConfirm: () => void
}

function ConfirmRequest({ operation, scope, request, ...answers }: ConfirmRequestProps) {
  const { method, summary } = operation
  return (
    <ConfirmDialog
      isOpen={request !== undefined}
      title={summary}
      button={`Send ${method}`}
      cancel="Cancel"
      isDangerous={method === 'DELETE'}
      {...answers}
    >
      <p>
        This changes what is stored{' '}
        {scope.kind === 'platform' ? 'on this platform' : `for ${scope.name}`}, as the page of the
        console would, and stands in the audit trail with your name.
      </p>
      <OperationLine method={method} path={request?.path ?? ''} />
      {request?.body !== undefined && (
        <pre class="asked-body">{JSON.stringify(JSON.parse(request.body), undefined, 2)}</pre>
      )}
    </ConfirmDialog>
  )
}

const OperationLine = ({ method, path }: { readonly method: string; readonly path: string }) => (
  <p class="operation-line">
    <span class={`method ${method.toLowerCase()}`}>{method}</span>
    <code>{path}</code>
  </p>
)
