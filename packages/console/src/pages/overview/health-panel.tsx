// "Is it well?": one sentence, figures with their usual values, launches and times as charts and tables with changes,
// the worst practices and apps, and the parts of the service. The service decides what a role sees. Read again twice a
// minute.
/** @jsxImportSource preact */
import type { HealthOverview } from '@chartside/protocol/payloads'
import { formatCount, formatMoment, Icon } from '@chartside/ui'
import { formatDuration } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { loadHealthOverview } from '../../api/health.ts'
import { useRecord } from '../../load/use-record.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { percent } from '../../parts/percent.ts'
import { DO, scopedAddress } from '../../route/addresses.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { HealthCharts } from './health-charts.tsx'
import { HealthLists, ServiceParts } from './health-lists.tsx'
import { describeHealth } from './health-words.ts'

const RELOAD_MS = 30_000
const HOURS = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
]
/** The same time in the list of launches. */
const LIST_TIMES: Readonly<Record<string, string>> = { 1: 'hour', 24: 'day', 168: 'week' }

export function HealthPanel({ scope }: { readonly scope: Scope }) {
  const hours = useSignal('24')
  const key = `${scope.id} ${hours.value}`
  const load = useRecord((signal) => loadHealthOverview(scope, hours.peek(), signal), key)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) load.reload()
    }, RELOAD_MS)
    return () => clearInterval(timer)
  }, [key])
  return (
    <Section
      title="Is it well?"
      actions={
        <FilterChips
          label="Time"
          value={hours.value}
          options={HOURS}
          onChange={(value) => {
            hours.value = value
          }}
        />
      }
    >
      <Loaded load={load} what="whether it is well">
        {(overview) => (
          <div class="health">
            <Sentence overview={overview} scope={scope} time={LIST_TIMES[hours.value] ?? 'day'} />
            <Figures overview={overview} />
            {overview.figures.launches.value !== 0 && <HealthCharts overview={overview} />}
            <HealthLists overview={overview} scope={scope} />
            {overview.service.length > 0 && <ServiceParts overview={overview} />}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

interface PartProps {
  readonly overview: HealthOverview
  readonly scope: Scope
}

function Sentence({ overview, scope, time }: PartProps & { readonly time: string }) {
  const { tone, title, text } = describeHealth(overview, (at) => formatMoment(at, Date.now()))
  const [incident] = overview.incidents
  const listed = new URLSearchParams({ appId: incident?.app.id ?? '', outcome: 'failed', in: time })
  return (
    <div class={`card padded health-sentence tone-${tone}`} role="status">
      <h3>
        <Icon name={tone === 'good' ? 'check' : tone === 'quiet' ? 'clock' : 'alert'} />
        {title}
      </h3>
      {text !== '' && <p dir="auto">{text}</p>}
      {incident && (
        <p class="row">
          {incident.exampleLaunchId !== undefined && (
            <a
              class={tone === 'bad' ? 'button primary compact' : 'button compact'}
              href={scopedAddress(
                scope,
                `launches/${encodeURIComponent(incident.exampleLaunchId)}`,
              )}
            >
              Show cause and fix
            </a>
          )}
          <a class="button compact" href={scopedAddress(scope, `launches?${listed}`)}>
            Show the failed launches
          </a>
          {tone === 'bad' && <StopLink overview={overview} scope={scope} />}
        </p>
      )}
    </div>
  )
}

/** Opens the question before a stop, where the role may: in the practice itself, else wherever the app runs. */
function StopLink({ overview: { incidents, practices }, scope }: PartProps) {
  const [incident] = incidents
  const isHere = practices.some(({ practice }) => practice.id === scope.id)
  if (!incident || !isAllowedIn(scope, isHere ? 'run' : 'develop')) return null
  const { id, name } = incident.app
  const path = isHere
    ? `running?${new URLSearchParams({ do: DO.stopHere, app: id })}`
    : `apps/${encodeURIComponent(id)}?do=${DO.switchOff}`
  return (
    <a class="button compact danger" href={scopedAddress(scope, path)}>
      {isHere ? `Stop ${name} here…` : `Stop ${name}…`}
    </a>
  )
}

function Figures({ overview: { figures, practices } }: Pick<PartProps, 'overview'>) {
  const shown = <T,>(value: T | null, format: (value: T) => string) =>
    value === null ? '–' : format(value)
  const isOfOne = practices.length < 2
  const places = isOfOne ? figures.apps : figures.practices
  const rows = [
    ['Apps became ready', figures.readyShare, percent],
    ['Launches', figures.launches, formatCount],
    ['Failed', figures.failed, formatCount],
    ['95 % are ready within', figures.mostWithinMs, formatDuration],
    [isOfOne ? 'Apps in use' : 'Practices at work', places, formatCount],
    ...(figures.refusedSignIns.value === null
      ? []
      : [['Refused sign-ins', figures.refusedSignIns, formatCount] as const]),
  ] as const
  return (
    <dl class="health-figures">
      {rows.map(([name, { value, usual }, format]) => (
        <div key={name} class="card padded">
          <dt>{name}</dt>
          <dd class="figure">{shown(value, format)}</dd>
          <dd class="quiet small">usual {shown(usual, format)}</dd>
        </div>
      ))}
    </dl>
  )
}
