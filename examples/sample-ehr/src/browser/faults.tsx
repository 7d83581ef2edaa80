// The script of the page Fault studio: chooses an app, starts a run, shows its progress, then its report. The
// address names app and run, so that a report can be sent as a link. Contract §15.
/** @jsxImportSource preact */
import {
  Button,
  CopyButton,
  EmptyState,
  FaultReport,
  LiveRegion,
  NoticeStrip,
  OUTCOME_LOOKS,
  Pill,
  SelectField,
  Skeleton,
} from '@chartside/ui'
import { formatMoment } from '@chartside/ui/times'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { StudioState } from '../fault-studio.ts'
import { byId } from './elements.ts'

const POLL_MS = 700

const [, , app = '', runId] = location.pathname.split('/')

const read = async (): Promise<StudioState | null> => {
  const query = new URLSearchParams({ app, ...(runId ? { run: runId } : {}) })
  const answer = await fetch(`/fault-runs?${query}`)
  return answer.ok ? ((await answer.json()) as StudioState) : null
}

async function play(only: readonly string[] = []): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch('/fault-runs', { method: 'POST', headers, body: JSON.stringify({ app, only }) })
  // The address of an earlier run would hide the new one.
  if (runId) location.assign(`/faults/${app}`)
}

function useStudio(): {
  readonly state: StudioState | null | undefined
  readonly refresh: () => void
} {
  const [state, setState] = useState<StudioState | null>()
  const [turn, setTurn] = useState(0)
  const isPlaying = Boolean(state?.playing)
  useEffect(() => {
    const update = () => read().then(setState, () => undefined)
    void update()
    if (!isPlaying) return
    const timer = setInterval(update, POLL_MS)
    return () => clearInterval(timer)
  }, [isPlaying, turn])
  return { state, refresh: () => setTurn((before) => before + 1) }
}

function Studio() {
  const { state, refresh } = useStudio()
  const start = (only?: readonly string[]) => void play(only).then(refresh)
  useStudioKeys(() => {
    if (state && !state.playing) start()
  }, start)
  if (state === undefined) return <Skeleton label="The runs of the app are read" />
  if (state === null) {
    return (
      <main>
        <EmptyState
          icon="flag"
          title="Fault studio: no such app or run"
          actions={<a href="/faults">All apps</a>}
        >
          It may be one of the runs that are no longer kept.
        </EmptyState>
      </main>
    )
  }
  const { shown, playing, problem, runs } = state
  const name = state.apps.find(({ slug }) => slug === app)?.name
  return (
    <>
      <StudioHead state={state} onStart={() => start()} />
      <main>
        <Announcer state={state} />
        {playing && <Progress playing={playing} onStop={() => void stop().then(refresh)} />}
        {problem && (
          <NoticeStrip tone="bad" icon="alert" title="The run could not be made" text={problem} />
        )}
        {shown && (
          <>
            <FaultReport
              run={shown.run}
              before={shown.before}
              renderActions={(fault) => (
                <Button
                  isCompact
                  icon="again"
                  isDisabled={playing !== null}
                  onPress={() => start([fault.name])}
                >
                  Play {fault.name} alone
                </Button>
              )}
            />
            <KeptRuns runs={runs} shown={shown.id} />
          </>
        )}
        {!shown && !playing && (
          <EmptyState icon="flag" title={name ? `No run of ${name} is kept` : 'Choose an app'}>
            A run takes about two minutes. It starts the app a second time, beside this one.
          </EmptyState>
        )}
      </main>
    </>
  )
}

/** R runs all, P plays the fault that has the focus. J, K and F are of the list. */
function useStudioKeys(runAll: () => void, start: (only: readonly string[]) => void): void {
  useEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return
      if (target.closest('input, textarea, select')) return
      if (key === 'r') runAll()
      const fault = target.closest('details.fault')
      if (key === 'p' && fault) start([fault.id])
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

const stop = () => fetch('/fault-runs', { method: 'DELETE' })

interface StudioHeadProps {
  readonly state: StudioState
  readonly onStart: () => void
}

function StudioHead({ state: { apps, shown, playing }, onStart }: StudioHeadProps) {
  const list = apps.map(({ slug, name }) => ({ value: slug, label: name }))
  return (
    <header class="studio-head">
      <div>
        <p>
          <a href="/">Sample EHR</a>
        </p>
        <h1>Fault studio</h1>
        <p class="quiet">
          Plays faults against your app, in launches of the run alone. Neither its code nor its
          settings change.
        </p>
        <p class="quiet small">
          Keys: J and K next and previous, Enter opens, P plays one, R runs all, F not handled only.
        </p>
      </div>
      <div class="row">
        <SelectField
          label="App"
          name="app"
          value={app}
          options={[...(app ? [] : [{ value: '', label: 'Choose an app' }]), ...list]}
          onChange={(slug) => location.assign(`/faults/${slug}`)}
        />
        {shown && (
          <CopyButton
            text={JSON.stringify(shown.run, null, 2)}
            label="Copy report"
            copy={(text) => navigator.clipboard.writeText(text)}
          />
        )}
        <Button
          tone="primary"
          icon="again"
          isBusy={playing !== null}
          isDisabled={app === ''}
          onPress={onStart}
        >
          {shown ? 'Run all again' : 'Run all faults'}
        </Button>
      </div>
    </header>
  )
}

/** Begin and end are announced; each fault would be too much. */
function Announcer({ state: { playing, shown, problem } }: { readonly state: StudioState }) {
  const [wasPlaying, setWasPlaying] = useState(false)
  useEffect(() => {
    if (playing) setWasPlaying(true)
  }, [playing !== null])
  const ended = problem ?? (shown ? `Grade ${shown.run.grade.level}.` : '')
  const text = playing ? `Faults are played against ${playing.app.name}.` : wasPlaying ? ended : ''
  return <LiveRegion text={text} turn={playing ? 1 : 2} />
}

interface ProgressProps {
  readonly playing: NonNullable<StudioState['playing']>
  readonly onStop: () => void
}

const Progress = ({ playing: { app, total, names, done }, onStop }: ProgressProps) => (
  <section class="card progress" aria-label="Progress">
    <div class="row">
      <strong>
        {app.name}: {done.length} of {total} faults played
      </strong>
      <Button isCompact onPress={onStop}>
        Stop
      </Button>
    </div>
    <progress aria-label="Faults played" value={done.length} max={total} />
    <ol>
      {names.map((name) => (
        <li key={name}>
          <Pill tone="accent" icon="half" isPlain>
            {name} is played
          </Pill>
        </li>
      ))}
      {done.toReversed().map(({ name, title, outcome }) => (
        <li key={name}>
          <Pill tone={OUTCOME_LOOKS[outcome].tone} icon={OUTCOME_LOOKS[outcome].icon} isPlain>
            {OUTCOME_LOOKS[outcome].word}: {title}
          </Pill>
        </li>
      ))}
    </ol>
  </section>
)

interface KeptRunsProps {
  readonly runs: StudioState['runs']
  readonly shown: string
}

const KeptRuns = ({ runs, shown }: KeptRunsProps) => (
  <section class="kept-runs" aria-label="Kept runs">
    <h2>Kept runs</h2>
    <ul>
      {runs.map(({ id, startedAt, title }) => (
        <li key={id}>
          <a href={`/faults/${app}/${id}`} aria-current={id === shown ? 'page' : undefined}>
            {formatMoment(Date.parse(startedAt), Date.now())}
          </a>
          : {title}
        </li>
      ))}
    </ul>
  </section>
)

render(<Studio />, byId('studio', HTMLElement))
