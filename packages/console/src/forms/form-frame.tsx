// The frame of a form: its fields, what the service refused as a whole, the question when another person
// changed the record, and its buttons.
/** @jsxImportSource preact */
import { Button, NoticeStrip } from '@chartside/ui'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { openSignInAgain } from '../api/client.ts'
import { ApiProblem, type Problem } from '../api/problem.ts'
import { ContactAdministrator } from '../parts/contact-administrator.tsx'
import { isRoleProblem } from '../parts/problem-page.tsx'
import type { Form } from './use-form.ts'

/** The value of a field in both versions, in words that a person reads. */
export interface ConflictRow {
  readonly label: string
  readonly theirs: string
  readonly yours: string
}

export interface FormFrameProps<V> {
  readonly form: Form<V>
  readonly submit: string
  readonly children: ComponentChildren
  readonly onCancel?: (() => void) | undefined
  readonly isSubmitHidden?: boolean | undefined
  readonly conflict?:
    | {
        readonly rows: readonly ConflictRow[]
        /** Shows the record as it is now. */
        readonly onTakeTheirs: () => void
        /** Saves again, over the record as it is now. */
        readonly onKeepYours: () => void
      }
    | undefined
}

export function FormFrame<V>(props: FormFrameProps<V>) {
  const { form, submit, children, onCancel, conflict } = props
  return (
    <form class="form" noValidate onSubmit={form.submit}>
      {form.isConflict && conflict ? (
        <ConflictQuestion {...conflict} />
      ) : (
        form.problem && <FormProblem problem={form.problem} />
      )}
      {children}
      <div class="form-actions">
        {onCancel && <Button onPress={onCancel}>Cancel</Button>}
        <Button type="submit" tone="primary" isBusy={form.isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** A refusal of the service that no field can show. */
export function FormProblem({ problem }: { readonly problem: Problem }) {
  const isApi = problem instanceof ApiProblem
  const trace = isApi && problem.traceId !== '' && ` Trace ${problem.traceId}.`
  return (
    <div role="alert" class="form-problem" tabIndex={-1} data-form-problem>
      <NoticeStrip
        tone="bad"
        icon="alert"
        title={isApi && problem.title !== '' ? problem.title : 'Not saved'}
        text={
          <>
            {problem.message}
            {isApi && problem.code === 'sign_in_again' && ' What you typed stays here.'}
            {isRoleProblem(problem) && (
              <>
                {' '}
                <ContactAdministrator />
              </>
            )}
            {trace && <span class="quiet">{trace}</span>}
          </>
        }
        action={
          isApi &&
          problem.code === 'sign_in_again' && (
            <Button isCompact onPress={openSignInAgain}>
              Sign in again in a new tab
            </Button>
          )
        }
      />
    </div>
  )
}

type ConflictProps = NonNullable<FormFrameProps<unknown>['conflict']>

function ConflictQuestion({ rows, onTakeTheirs, onKeepYours }: ConflictProps) {
  // It comes after the refusal, when theirs is loaded.
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => element.current?.focus(), [])
  const differing = rows.filter(({ theirs, yours }) => theirs !== yours)
  return (
    <section
      ref={element}
      class="conflict"
      role="alert"
      aria-label="Changed meanwhile"
      tabIndex={-1}
      data-form-problem
    >
      <h3>This was changed while you worked on it</h3>
      <p>Nothing is saved yet. Choose which version counts.</p>
      <dl class="conflict-rows">
        {differing.map(({ label, theirs, yours }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <small>Theirs</small> {theirs}
            </dd>
            <dd>
              <small>Yours</small> {yours}
            </dd>
          </div>
        ))}
      </dl>
      <div class="row">
        <Button onPress={onTakeTheirs}>Take theirs</Button>
        <Button tone="primary" onPress={onKeepYours}>
          Keep mine
        </Button>
      </div>
    </section>
  )
}
