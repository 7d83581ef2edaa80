// The form of one operation: fields for its parameters and its body, the same request as a command, and the
// answer beside it. Reading runs at once; what changes something asks first and says what.
/** @jsxImportSource preact */
import { Button, CodeBlock, ConfirmDialog, SelectField, TextField } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ApiDocument } from '../../api/document.ts'
import { isAborted, NoAnswer, type Problem } from '../../api/problem.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { BASE } from '../../installation.ts'
import { copyText } from '../../parts/copy-text.ts'
import type { Scope } from '../../session/scopes.ts'
import { announce } from '../../shell/announcements.ts'
import { AnswerView } from './answer-view.tsx'
import type { Operation } from './operations.ts'
import { buildCurl, type PreparedRequest, prepare, type ShownAnswer, send } from './request.ts'
import {
  buildBody,
  checkText,
  type FormField,
  fieldsOfBody,
  fieldsOfParameters,
  type Texts,
} from './schema-fields.ts'

/** What the chosen account answers already. */
function firstTexts({ path, parameters, body }: Operation, { kind, id }: Scope): Texts {
  if (kind === 'platform') return {}
  const names = [
    ...parameters.map(({ name }) => name),
    ...(body?.schema.properties?.accountId ? ['body accountId'] : []),
  ]
  const isOfAccount = path.startsWith('/api/accounts/{id}')
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('accountId') || (name === 'id' && isOfAccount))
      .map((name) => [name, id]),
  )
}

export function OperationForm({
  operation,
  document,
  scope,
}: {
  readonly operation: Operation
  readonly document: ApiDocument
  readonly scope: Scope
}) {
  const { method, path, parameters, body, answersJson } = operation
  const isReading = method === 'GET'
  const [inAddress, inBody] = useMemo(
    () => [fieldsOfParameters(document, parameters), fieldsOfBody(document, body)],
    [operation.id],
  )
  const fields = [...inAddress, ...inBody]
  const texts = useSignal(firstTexts(operation, scope))
  const areErrorsShown = useSignal(false)
  const pending = useSignal<PreparedRequest | undefined>(undefined)
  const answer = useSignal<ShownAnswer | undefined>(undefined)
  const problem = useSignal<Problem | undefined>(undefined)
  const isBusy = useSignal(false)
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  const textOf = ({ key }: FormField) => texts.value[key] ?? ''
  const wrong = new Map(fields.map((field) => [field.key, checkText(field, textOf(field))]))
  const good = fields.filter(({ key }) => wrong.get(key) === undefined)
  const bodyText =
    body &&
    JSON.stringify(
      buildBody(
        inBody.filter((one) => good.includes(one)),
        texts.value,
      ),
    )
  const request = prepare(operation, texts.value, bodyText)
  const run = async () => {
    pending.value = undefined
    running.current.abort()
    running.current = new AbortController()
    isBusy.value = true
    problem.value = undefined
    answer.value = undefined
    try {
      answer.value = await send(request, running.current.signal)
      announce(`Answered ${answer.value.status}.`)
    } catch (error) {
      if (!isAborted(error)) problem.value = new NoAnswer()
    } finally {
      isBusy.value = false
    }
  }
  const fieldset = (some: readonly FormField[]) =>
    some.map((field) => (
      <SchemaField
        key={field.key}
        field={field}
        text={textOf(field)}
        error={areErrorsShown.value ? wrong.get(field.key) : undefined}
        onChange={(text) => {
          texts.value = { ...texts.value, [field.key]: text }
        }}
      />
    ))
  return (
    <div class="try">
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          areErrorsShown.value = good.length < fields.length
          if (areErrorsShown.value) announce('A field is missing or wrong.')
          else if (isReading) void run()
          else pending.value = request
        }}
      >
        <OperationLine method={method} path={path} />
        {fieldset(inAddress)}
        {inBody.length > 0 && <h2>Body</h2>}
        {fieldset(inBody)}
        {problem.value && <FormProblem problem={problem.value} />}
        <div class="form-actions">
          {answersJson && (
            <Button type="submit" tone="primary" isBusy={isBusy.value}>
              {isReading ? 'Send' : 'Send …'}
            </Button>
          )}
          {inBody.length > 0 && (
            <Button
              onPress={() => {
                const examples = inBody.map((field) => [field.key, textOf(field) || field.example])
                texts.value = { ...texts.value, ...Object.fromEntries(examples) }
              }}
            >
              Fill in the example
            </Button>
          )}
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
        {answer.value && <AnswerView key={answer.value.sentAt} answer={answer.value} />}
      </div>
      <ConfirmDialog
        isOpen={pending.value !== undefined}
        title={operation.summary}
        button={`Send ${method}`}
        cancel="Cancel"
        isDangerous={method === 'DELETE'}
        onClose={() => {
          pending.value = undefined
        }}
        onConfirm={() => void run()}
      >
        <p>
          This changes what is stored{' '}
          {scope.kind === 'platform' ? 'on this platform' : `for ${scope.name}`}, as the page of the
          console would, and stands in the audit trail with your name.
        </p>
        <OperationLine method={method} path={pending.value?.path ?? ''} />
        {pending.value?.body !== undefined && (
          <pre class="asked-body">
            {JSON.stringify(JSON.parse(pending.value.body), undefined, 2)}
          </pre>
        )}
      </ConfirmDialog>
    </div>
  )
}

const OperationLine = ({ method, path }: { readonly method: string; readonly path: string }) => (
  <p class="operation-line">
    <span class={`method ${method.toLowerCase()}`}>{method}</span>
    <code>{path}</code>
  </p>
)

function SchemaField({
  field: { key, name, kind, choices, hint, example },
  text,
  error,
  onChange,
}: {
  readonly field: FormField
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}) {
  const frame = { label: name, name: key, value: text, error, ...(hint === '' ? {} : { hint }) }
  if (kind === 'choice') {
    const none = { value: '', label: 'Not sent' }
    const options = [none, ...choices.map((value) => ({ value, label: value }))]
    return <SelectField {...frame} options={options} onChange={onChange} />
  }
  return (
    <TextField
      {...frame}
      placeholder={kind === 'json' ? undefined : example}
      {...(kind === 'json' ? { rows: 5 } : {})}
      autocomplete="off"
      onInput={onChange}
    />
  )
}
