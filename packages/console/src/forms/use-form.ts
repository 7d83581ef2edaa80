// A form that saves a record: the values as the person typed them, the refusal of the service beside
// the field that it names, and what to do when the record has changed since it was read (412).
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { ApiProblem, type Problem, problemOf } from '../api/problem.ts'
import { addLeaveGuard } from '../route/location.ts'

export interface Form<V> {
  readonly values: V
  readonly isChanged: boolean
  readonly isBusy: boolean
  /** The refusal of the whole form, which no field can show. */
  readonly problem: Problem | undefined
  /** The record has changed since it was read: ask the person which one counts. */
  readonly isConflict: boolean
  set<Name extends keyof V>(name: Name, value: V[Name]): void
  /** The refusal about this field. */
  error(name: keyof V & string): string | undefined
  /** Submits the form; it is put on the form's `onSubmit`. */
  submit(event?: Event): void
  reset(values: V): void
}

export interface FormOptions<V> {
  readonly initial: V
  /** @throws ApiProblem; whose fields, such as `/name`, are shown at the field `name`. */
  readonly save: (values: V) => Promise<void>
  /** Finds the errors that are known before the form is sent, by field. */
  readonly check?: (values: V) => Partial<Record<keyof V & string, string>>
}

interface State<V> {
  readonly values: V
  readonly initial: V
  readonly isBusy: boolean
  readonly errors: Readonly<Record<string, string>>
  readonly problem?: Problem
}

export function useForm<V extends Readonly<Record<string, unknown>>>({
  initial,
  save,
  check,
}: FormOptions<V>): Form<V> {
  const state = useSignal<State<V>>({ values: initial, initial, isBusy: false, errors: {} })
  const element = useRef<HTMLFormElement | null>(null)
  // Grows with each refusal: typing afterwards moves no focus.
  const failures = useSignal(0)
  const { values, isBusy, errors, problem } = state.value
  const isChanged = JSON.stringify(values) !== JSON.stringify(state.value.initial)
  useEffect(() => addLeaveGuard(() => !isUnsaved(state.peek())), [])
  // Before the next key: who types on at once types into the field that is wrong.
  useLayoutEffect(() => {
    if (failures.value > 0) {
      const wrong =
        element.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
        element.current?.querySelector<HTMLElement>('[data-form-problem]')
      wrong?.focus()
    }
  }, [failures.value])
  const send = async () => {
    const wrong = (check?.(values) ?? {}) as Record<string, string>
    if (Object.keys(wrong).length > 0) {
      state.value = { ...state.value, errors: wrong }
      failures.value += 1
      return
    }
    const { problem: _, ...rest } = state.value
    state.value = { ...rest, isBusy: true, errors: {} }
    try {
      await save(values)
      state.value = { values, initial: values, isBusy: false, errors: {} }
    } catch (error) {
      const refused = problemOf(error)
      state.value = { ...state.value, isBusy: false, ...errorsOf(refused, Object.keys(values)) }
      failures.value += 1
    }
  }
  return {
    values,
    isChanged,
    isBusy,
    problem,
    isConflict: problem instanceof ApiProblem && problem.code === 'precondition_failed',
    set(name, value) {
      const { [name as string]: _, ...others } = state.value.errors
      state.value = {
        ...state.value,
        errors: others,
        values: { ...state.value.values, [name]: value },
      }
    },
    error: (name) => errors[name],
    submit(event) {
      event?.preventDefault()
      if (event?.currentTarget instanceof HTMLFormElement) element.current = event.currentTarget
      if (!isBusy) void send()
    },
    reset(next) {
      state.value = { values: next, initial: next, isBusy: false, errors: {} }
    },
  }
}

const isUnsaved = <V>({ values, initial, isBusy }: State<V>) =>
  !isBusy && JSON.stringify(values) !== JSON.stringify(initial)

/** The refusals by field; what names no field of the form stays with the form. */
function errorsOf(
  problem: Problem,
  names: readonly string[],
): Pick<State<unknown>, 'errors' | 'problem'> {
  if (!(problem instanceof ApiProblem)) return { errors: {}, problem }
  const errors: Record<string, string> = {}
  let isComplete = problem.fields.length > 0
  for (const { field, message } of problem.fields) {
    const [, name = ''] = /^\/?([^/]+)/.exec(field) ?? []
    if (names.includes(name)) errors[name] ??= message
    else isComplete = false
  }
  return isComplete ? { errors } : { errors, problem }
}
