// The state of the form of one operation: the texts of its fields, which of them are wrong, the request that
// they make, and its answer. A request ends when its page is left.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ApiDocument } from '../../api/document.ts'
import { isAborted, NoAnswer, type Problem } from '../../api/problem.ts'
import type { Scope } from '../../session/scopes.ts'
import { announce } from '../../shell/announcements.ts'
import type { Operation } from './operations.ts'
import { type PreparedRequest, prepare, type ShownAnswer, send } from './request.ts'
import {
  buildBody,
  checkText,
  type FormField,
  fieldsOfBody,
  fieldsOfParameters,
  type Texts,
} from './schema-fields.ts'

/** The values that the chosen account gives already. */
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

export interface OperationState {
  readonly inAddress: readonly FormField[]
  readonly inBody: readonly FormField[]
  /** The request from the fields that are right. */
  readonly request: PreparedRequest
  readonly isComplete: boolean
  readonly isBusy: boolean
  readonly answer: ShownAnswer | undefined
  readonly problem: Problem | undefined
  textOf(field: FormField): string
  /** Returns the error; undefined for a field that is right, and before the form was sent. */
  errorOf(field: FormField): string | undefined
  setText(field: FormField, text: string): void
  fillInExample(): void
  showErrors(): void
  run(): Promise<void>
}

export function useOperation(
  operation: Operation,
  document: ApiDocument,
  scope: Scope,
): OperationState {
  const [inAddress, inBody] = useMemo(
    () => [
      fieldsOfParameters(document, operation.parameters),
      fieldsOfBody(document, operation.body),
    ],
    [operation.id],
  )
  const texts = useSignal(firstTexts(operation, scope))
  const areErrorsShown = useSignal(false)
  const state = useSignal<{ isBusy: boolean; answer?: ShownAnswer; problem?: Problem }>({
    isBusy: false,
  })
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  const textOf = ({ key }: FormField) => texts.value[key] ?? ''
  const isRight = (field: FormField) => checkText(field, textOf(field)) === undefined
  const body = operation.body && JSON.stringify(buildBody(inBody.filter(isRight), texts.value))
  const request = prepare(operation, texts.value, body)
  const run = async () => {
    running.current.abort()
    running.current = new AbortController()
    state.value = { isBusy: true }
    try {
      const answer = await send(request, running.current.signal)
      state.value = { isBusy: false, answer }
      announce(`Answered ${answer.status}.`)
    } catch (error) {
      state.value = { isBusy: false, ...(isAborted(error) ? {} : { problem: new NoAnswer() }) }
    }
  }
  return {
    inAddress,
    inBody,
    request,
    isComplete: [...inAddress, ...inBody].every(isRight),
    isBusy: state.value.isBusy,
    answer: state.value.answer,
    problem: state.value.problem,
    textOf,
    errorOf: (field) => (areErrorsShown.value ? checkText(field, textOf(field)) : undefined),
    setText({ key }, text) {
      texts.value = { ...texts.value, [key]: text }
    },
    fillInExample() {
      const examples = inBody.map((field) => [field.key, textOf(field) || field.example])
      texts.value = { ...texts.value, ...Object.fromEntries(examples) }
    },
    showErrors() {
      areErrorsShown.value = true
    },
    run,
  }
}
