// A graded run: its head, and its faults by the step of the launch, what failed first, what was handled folded.
// An open fault has its checks with evidence, cause and fix, what went over the wire, and what the provider saw.
/** @jsxImportSource preact */
import { OUTCOMES, type Outcome, type PlayedFault, STEPS } from '@chartside/protocol/fault-grade'
import type { Comparison, Run } from '@chartside/protocol/fault-run'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  describeOutcome,
  OUTCOME_LOOKS,
  STEP_NAMES,
  sortChecks,
  sortFaults,
} from '../rules/fault-words.ts'
import { formatDuration } from '../rules/times.ts'
import { FaultGrade } from './fault-grade.tsx'
import { Icon } from './icon.tsx'
import { Pill } from './state-badge.tsx'

export interface FaultKeys {
  /** Moves to the fault that many rows away. */
  readonly move: (rows: 1 | -1) => void
  readonly toggleFailed: () => void
}

export interface FaultReportProps {
  readonly run: Run
  readonly before: Comparison | null
  /** Renders beside an open fault, such as a button that plays it alone. */
  readonly renderActions?: ((fault: PlayedFault) => ComponentChildren) | undefined
  /** A hook that gives J, K and F to the list; for a page that has a keyboard map of its own. */
  readonly useKeys?: (keys: FaultKeys) => void
}

const isOpen = ({ outcome }: PlayedFault): boolean =>
  outcome === 'partly' || outcome === 'not_handled'

export function FaultReport(props: FaultReportProps) {
  const { run, before, renderActions, useKeys = useFaultKeys } = props
  const { faults } = run
  const [only, setOnly] = useState<Outcome | null>(null)
  const [asked, setAsked] = useState(() => ({ name: location.hash.slice(1) }))
  const root = useRef<HTMLDivElement>(null)
  useKeys({
    move: (rows) => moveFocus(root.current, rows),
    toggleFailed: () => setOnly((chosen) => (chosen === 'not_handled' ? null : 'not_handled')),
  })
  useLayoutEffect(() => revealFault(asked.name), [asked])
  const show = (name: string): boolean => {
    const fault = faults.find((one) => one.name === name)
    if (!fault) return false
    setOnly((chosen) => (chosen === fault.outcome ? chosen : null))
    setAsked({ name })
    return true
  }
  const shown = faults.filter(({ outcome }) => only === null || outcome === only)
  return (
    <>
      <FaultGrade run={run} before={before} onShow={show} />
      <div ref={root} class="fault-list">
        <fieldset class="row fault-chips">
          <legend class="unseen">Show</legend>
          <Chip label="All" of={faults} isOn={only === null} onPress={() => setOnly(null)} />
          {OUTCOMES.map((outcome) => (
            <Chip
              key={outcome}
              label={OUTCOME_LOOKS[outcome].word}
              of={faults.filter((fault) => fault.outcome === outcome)}
              isOn={only === outcome}
              onPress={() => setOnly(outcome)}
            />
          ))}
        </fieldset>
        {STEPS.map((step) => (
          <FaultSection
            key={step}
            step={step}
            faults={shown.filter((fault) => fault.step === step)}
            isFolded={only === null}
            renderActions={renderActions}
          />
        ))}
      </div>
    </>
  )
}

/** J and K go from fault to fault, F shows what is not handled. Enter opens one by itself. */
function useFaultKeys(keys: FaultKeys) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest('input, textarea, select')) return
      if (event.key === 'f') latest.current.toggleFailed()
      else if (event.key === 'j') latest.current.move(1)
      else if (event.key === 'k') latest.current.move(-1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function moveFocus(root: HTMLElement | null, step: 1 | -1): void {
  const all = [...(root?.querySelectorAll<HTMLElement>('summary') ?? [])]
  const rows = all.filter((row) => row.checkVisibility())
  const index = rows.findIndex((row) => row.matches(':focus'))
  rows[index < 0 ? 0 : (index + step + rows.length) % rows.length]?.focus()
}

/** Opens a fault and what it is folded in, and gives it the focus. */
function revealFault(name: string): void {
  const row = document.getElementById(name)
  if (!row?.matches('details.fault')) return
  for (let at: Element | null = row; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true
  }
  row.querySelector('summary')?.focus()
}

interface ChipProps {
  readonly label: string
  readonly of: readonly PlayedFault[]
  readonly isOn: boolean
  readonly onPress: () => void
}

const Chip = ({ label, of, isOn, onPress }: ChipProps) => (
  <button type="button" class="chip" aria-pressed={isOn} onClick={onPress}>
    {label} <b>{of.length}</b>
  </button>
)

interface FaultSectionProps extends Pick<FaultReportProps, 'renderActions'> {
  readonly faults: readonly PlayedFault[]
  readonly step: PlayedFault['step']
  readonly isFolded: boolean
}

function FaultSection({ step, faults, isFolded, renderActions }: FaultSectionProps) {
  if (faults.length === 0) return null
  const [name, way] = STEP_NAMES[step]
  const isQuiet = (fault: PlayedFault) => isFolded && fault.outcome === 'handled'
  const [quiet, loud] = [faults.filter(isQuiet), faults.filter((fault) => !isQuiet(fault))]
  const rows = (of: readonly PlayedFault[]) =>
    of.map((fault) => <FaultRow key={fault.name} {...{ fault, renderActions }} />)
  return (
    <section class="fault-section" aria-label={name}>
      <div class="fault-head">
        <h2>{name}</h2>
        <span class="small quiet">{way}</span>
        <span class="small quiet">
          {faults.filter((fault) => !isOpen(fault)).length} of {faults.length} handled
        </span>
      </div>
      <div class="card faults">
        {rows(sortFaults(loud))}
        {quiet.length > 0 && (
          <details class="passed">
            <summary>
              <span class="tone-good">
                <Icon name="check" />
              </span>
              <strong>{quiet.length} handled</strong>
              <span class="quiet small passed-names">
                {quiet.map(({ title }) => title).join(' · ')}
              </span>
              <Icon name="chevron" />
            </summary>
            {rows(quiet)}
          </details>
        )}
      </div>
    </section>
  )
}

interface FaultRowProps extends Pick<FaultReportProps, 'renderActions'> {
  readonly fault: PlayedFault
}

function FaultRow({ fault, renderActions }: FaultRowProps) {
  const { name, title, outcome, tookMs } = fault
  const { word, icon, tone } = OUTCOME_LOOKS[outcome]
  return (
    <details class={`fault tone-${tone}`} id={name}>
      <summary>
        <Pill tone={tone} icon={icon} isPlain>
          <span class="unseen">{word}</span>
        </Pill>
        <strong class="fault-name">
          {title}
          <code class="quiet small">{name}</code>
        </strong>
        <span class="fault-what">{describeOutcome(fault)}</span>
        <span class="quiet number">{formatDuration(tookMs)}</span>
        <Icon name="chevron" />
      </summary>
      <FaultBody fault={fault} actions={renderActions?.(fault)} />
    </details>
  )
}

const MARKS = {
  passed: { icon: 'check', tone: 'good', word: 'Passed:' },
  failed: { icon: 'cross', tone: 'bad', word: 'Failed:' },
  not_observable: { icon: 'dash', tone: 'quiet', word: 'Not observable:' },
} as const

interface FaultBodyProps {
  readonly fault: PlayedFault
  readonly actions: ComponentChildren
}

function FaultBody({ fault: { checks, wire = [], saw = '' }, actions }: FaultBodyProps) {
  return (
    <div class="fault-body">
      <div>
        <h3>What a good app does, and what yours did</h3>
        <ul class="fault-checks">
          {sortChecks(checks).map(({ name, title, state, evidence, cause, fix }) => (
            <li key={name}>
              <span class={`tone-${MARKS[state].tone}`}>
                <Icon name={MARKS[state].icon} />
                <span class="unseen">{MARKS[state].word}</span>
              </span>
              <div>
                <strong>{title}</strong>
                <p class="small quiet">{evidence}</p>
                {cause && <p class="small">Why it matters: {cause}</p>}
                {fix && <p class="small">Mend it: {fix}</p>}
              </div>
            </li>
          ))}
        </ul>
      </div>
      <div>
        {wire.length > 0 && (
          <>
            <h3>What went over the wire</h3>
            <ol class="fault-wire">
              {wire.map(({ atMs, event }) => (
                <li key={`${atMs} ${event}`}>
                  <span class="quiet number">{formatDuration(atMs)}</span>
                  {event}
                </li>
              ))}
            </ol>
          </>
        )}
        <h3>What the provider saw</h3>
        <blockquote class="fault-saw">{saw === '' ? 'An empty frame.' : saw}</blockquote>
        {actions}
      </div>
    </div>
  )
}
