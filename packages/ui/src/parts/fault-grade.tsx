// The head of a graded run: level, one sentence, five bars, the run before, and what to mend first. A bar
// has its number beside it, so that no color decides.
/** @jsxImportSource preact */
import type { Bar } from '@chartside/protocol/fault-grade'
import { type Comparison, listMends, type Run } from '@chartside/protocol/fault-run'
import { describeGrade, PART_NAMES, toneOfGrade } from '../rules/fault-words.ts'
import { formatDuration, formatMoment } from '../rules/times.ts'

export interface FaultGradeProps {
  readonly run: Run
  readonly before: Comparison | null
  /** Opens a fault in the list. False: the run has no such fault. */
  readonly onShow: (name: string) => boolean
}

const toneOfBar = (percent: number): string =>
  percent >= 90 ? 'good' : percent >= 60 ? 'warn' : 'bad'

const GradeBar = ({ bar: { part, passed, of, percent } }: { readonly bar: Bar }) => (
  <li>
    <strong>{PART_NAMES[part]}</strong>
    <span class="meter" aria-hidden="true">
      {percent !== null && (
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class={`tone-${toneOfBar(percent)}`} width={percent} height="10" />
        </svg>
      )}
    </span>
    <span class="number">{percent ?? '–'}</span>
    <span class="quiet small">
      {percent === null ? 'not observable' : `${passed} of ${of} checks passed`}
    </span>
  </li>
)

function RunFacts({ run, before, onShow }: FaultGradeProps) {
  const at = Date.parse(run.startedAt)
  return (
    <dl class="score-facts">
      <div>
        <dt>Played</dt>
        <dd>
          <time dateTime={run.startedAt}>{formatMoment(at, Date.now())}</time>,{' '}
          {formatDuration(run.tookMs)}
        </dd>
      </div>
      {run.commit && (
        <div>
          <dt>Commit</dt>
          <dd>
            <code>{run.commit}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>The run before</dt>
        {before ? <Difference {...{ run, before, onShow }} /> : <dd>None is kept.</dd>}
      </div>
    </dl>
  )
}

interface FaultLinkProps extends Pick<FaultGradeProps, 'onShow'> {
  readonly name: string
  readonly text?: string
}

/** The address names the fault, so that it can be sent. A router takes no part: the page stays. */
function FaultLink({ name, text = name, onShow }: FaultLinkProps) {
  const open = (event: Event) => {
    if (!onShow(name)) return
    event.preventDefault()
    history.replaceState(history.state, '', `#${name}`)
  }
  return (
    <a href={`#${name}`} onClick={open}>
      {text}
    </a>
  )
}

const list = (names: readonly string[], onShow: FaultGradeProps['onShow']) =>
  names.map((name, index) => (
    <>
      {index > 0 && ', '}
      <FaultLink {...{ name, onShow }} />
    </>
  ))

interface DifferenceProps extends FaultGradeProps {
  readonly before: Comparison
}

function Difference({ run, before, onShow }: DifferenceProps) {
  const { grade, better, worse, commit } = before
  return (
    <dd>
      {grade.level}, {grade.points} of 100{commit && `, ${commit}`}. Now {run.grade.points}.
      {better.length > 0 && <p class="tone-good">Better: {list(better, onShow)}</p>}
      {worse.length > 0 && <p class="tone-bad">Worse: {list(worse, onShow)}</p>}
      {better.length + worse.length === 0 && <p>No fault changed.</p>}
    </dd>
  )
}

export function FaultGrade({ run, before, onShow }: FaultGradeProps) {
  const { level, points, bars } = run.grade
  const [title, why] = describeGrade(run)
  const mends = listMends(run).slice(0, 3)
  return (
    <>
      <section class="card score" aria-label="Grade">
        <p class={`score-grade tone-${toneOfGrade(level)}`}>
          <span class="unseen">Grade </span>
          <span class="score-level">{level}</span>
          <strong>{points} of 100</strong>
        </p>
        <div class="score-text">
          <h2>{title}</h2>
          <p class="quiet">{why}</p>
          <ul class="score-bars" aria-label="Parts of the grade">
            {bars.map((bar) => (
              <GradeBar key={bar.part} bar={bar} />
            ))}
          </ul>
        </div>
        <RunFacts {...{ run, before, onShow }} />
      </section>
      {mends.length > 0 && (
        <section class="mends" aria-label="Mend these first">
          <h2>Mend these first</h2>
          <ol>
            {mends.map(({ fault, gain }) => (
              <li key={fault.name} class="card">
                {gain > 0 && <strong class="tone-good">+{gain}</strong>}
                <div>
                  <h3>{fault.checks.find(({ state }) => state === 'failed')?.title}</h3>
                  <p class="quiet small">
                    {fault.title}. {fault.checks.find(({ state }) => state === 'failed')?.fix}
                  </p>
                  <FaultLink name={fault.name} text={`Show ${fault.name}`} onShow={onShow} />
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
