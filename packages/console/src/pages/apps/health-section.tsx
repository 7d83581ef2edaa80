// How the launches of an app do, in every practice: how many became ready, how long that took, where the time
// went, and its failures by cause, each with one launch that shows it. Names no person.
/** @jsxImportSource preact */
import { STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { App, AppHealth } from '@chartside/protocol/payloads'
import { formatCount, Table, Timestamp } from '@chartside/ui'
import { formatDuration } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import { loadHealth } from '../../api/apps.ts'
import { useRecord } from '../../load/use-record.ts'
import { FilterChips } from '../../parts/filter-chips.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { percent } from '../../parts/percent.ts'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'

const WINDOWS = { day: 86_400_000, week: 604_800_000 } as const
type WindowName = keyof typeof WINDOWS

interface HealthProps {
  readonly app: App
  readonly scope: Scope
}

export function HealthSection({ app, scope }: HealthProps) {
  const chosen = useSignal<WindowName>('week')
  const load = useRecord(
    (signal) =>
      loadHealth(app.id, new Date(Date.now() - WINDOWS[chosen.peek()]).toISOString(), { signal }),
    `${app.id} ${chosen.value}`,
  )
  return (
    <Section
      title="Health"
      actions={
        <FilterChips
          label="Time"
          value={chosen.value}
          options={[
            { value: 'day', label: 'Last day' },
            { value: 'week', label: 'Last week' },
          ]}
          onChange={(value) => {
            chosen.value = value as WindowName
          }}
        />
      }
    >
      <Loaded load={load} what="the health of the app">
        {(health) =>
          health.launches === 0 ? (
            <div class="card padded">
              <p class="quiet">No launch in this time.</p>
            </div>
          ) : (
            <div class="health">
              <Figures health={health} />
              {health.causes.length > 0 && (
                <Causes health={health} scope={scope} time={chosen.value} />
              )}
              {health.spans.length > 0 && <Steps health={health} />}
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}

function Figures({ health }: { readonly health: AppHealth }) {
  const { launches, isCapped, outcomes, successRate, toReady } = health
  const counted = `${isCapped ? 'the newest ' : ''}${formatCount(launches)}`
  const figures: readonly (readonly [string, string])[] = [
    ['Became ready', successRate === null ? 'none has ended yet' : percent(successRate)],
    ['Failed', formatCount(outcomes.failed)],
    ['Launches', counted],
    ['Half are ready within', toReady ? formatDuration(toReady.p50Ms) : '–'],
    ['95 % are ready within', toReady ? formatDuration(toReady.p95Ms) : '–'],
  ]
  return (
    <dl class="facts card padded">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="figure">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface CausesProps {
  readonly health: AppHealth
  readonly scope: Scope
  readonly time: WindowName
}

function Causes({ health: { app, causes }, scope, time }: CausesProps) {
  const listAddress = (reason: string) =>
    scopedAddress(
      scope,
      `launches?${new URLSearchParams({ appId: app.id, reason, outcome: 'failed', in: time })}`,
    )
  return (
    <div class="card list-card">
      <Table
        caption="Failures by cause"
        rows={causes}
        rowId={({ step, reason }) => `${step} ${reason}`}
        columns={[
          {
            id: 'cause',
            label: 'Cause',
            render: ({ cause, reason, exampleLaunchId }) => (
              <span>
                <a href={scopedAddress(scope, `launches/${encodeURIComponent(exampleLaunchId)}`)}>
                  {cause}
                </a>
                <small class="below">{reason}</small>
              </span>
            ),
          },
          {
            id: 'count',
            label: 'Launches',
            isNumber: true,
            render: ({ count, reason }) => (
              <a href={listAddress(reason)}>
                {formatCount(count)}
                <span class="unseen"> launches of {reason}</span>
              </a>
            ),
          },
          {
            id: 'last',
            label: 'Last',
            render: ({ lastAt }) => <Timestamp at={Date.parse(lastAt)} now={Date.now()} />,
          },
        ]}
      />
    </div>
  )
}

function Steps({ health: { spans } }: { readonly health: AppHealth }) {
  return (
    <details class="more-fields">
      <summary>Where the time goes</summary>
      <div class="card list-card">
        <Table
          caption="Times of the steps of launches that became ready"
          isCaptionHidden
          rows={spans}
          rowId={({ span }) => span}
          columns={[
            { id: 'step', label: 'Step', render: ({ span }) => STEP_NAMES[span] },
            {
              id: 'half',
              label: 'Half within',
              isNumber: true,
              render: ({ p50Ms }) => formatDuration(p50Ms),
            },
            {
              id: 'most',
              label: '95 % within',
              isNumber: true,
              render: ({ p95Ms }) => formatDuration(p95Ms),
            },
          ]}
        />
      </div>
    </details>
  )
}
