// What runs in an account, for those who administer it: the version, each app with its vendor, what it learns and
// how its week was, and the stop of one of them here. Where it opens stands below.
/** @jsxImportSource preact */
import type { Running, RunningApp } from '@chartside/protocol/payloads'
import { Button, type Column, EmptyState, formatCount, Pill, Timestamp } from '@chartside/ui'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { letAppRun, readRunning } from '../../api/running.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { type Action, useAction } from '../../forms/use-action.ts'
import { isAsked } from '../../forms/use-open.ts'
import { useRecord } from '../../load/use-record.ts'
import { AppName } from '../../parts/app.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { percent } from '../../parts/percent.ts'
import { RecordTable } from '../../parts/record-table.tsx'
import { DO, scopedAddress } from '../../route/addresses.ts'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { notify } from '../../shell/announcements.ts'
import { describeEhrs, describeLearned, describeVersion, nameEhrs } from './running-words.ts'
import { StopDialog } from './stop-dialog.tsx'
import { VersionSection } from './version-section.tsx'

export default function RunningPage({ scope }: PageProps) {
  const load = useRecord((signal) => readRunning(scope.id, { signal }), scope.id)
  const stopping = useSignal<RunningApp['app'] | undefined>(undefined)
  useAskedStop(load.data?.data, stopping)
  const resuming = useAction()
  const resume = ({ id, name }: RunningApp['app']) =>
    resuming.run(async () => {
      await letAppRun(scope.id, id)
      notify('good', `${name} runs in ${scope.name} again. Providers open it again.`)
      load.reload()
    })
  return (
    <>
      <PageHead
        title={`What runs in ${scope.name}`}
        about={load.data && describeVersion(load.data.data, scope)}
      />
      {resuming.problem && <FormProblem problem={resuming.problem} />}
      <Loaded load={load} what="what runs here">
        {({ data: running, etag }) =>
          running.collection === null ? (
            <NothingRuns address={scopedAddress(scope, 'collections')} />
          ) : (
            <>
              <Apps
                running={running}
                resuming={resuming}
                onStop={(app) => {
                  stopping.value = app
                }}
                onResume={(app) => void resume(app)}
              />
              <VersionSection running={running} etag={etag} scope={scope} onChanged={load.reload} />
              <Places running={running} />
            </>
          )
        }
      </Loaded>
      {stopping.value && (
        <StopDialog
          app={stopping.value}
          scope={scope}
          onClose={() => {
            stopping.value = undefined
            setQuery({ do: undefined, app: undefined })
          }}
          onStopped={load.reload}
        />
      )}
    </>
  )
}

/** The palette leads to the question about one app. */
function useAskedStop(
  running: Running | undefined,
  stopping: Signal<RunningApp['app'] | undefined>,
) {
  const isLoaded = running !== undefined
  useEffect(() => {
    if (!isAsked(DO.stopHere)) return
    const id = place.value.query.get('app')
    stopping.value = running?.apps.find(({ app, stopped }) => app.id === id && !stopped)?.app
  }, [isLoaded])
}

const NothingRuns = ({ address }: { readonly address: string }) => (
  <div class="card">
    <EmptyState
      icon="apps"
      title="Nothing runs here"
      actions={
        <a class="button" href={address}>
          What runs where
        </a>
      }
    >
      <p class="quiet">
        No collection is chosen. Choose one of your own, or ask your vendor or an administrator of
        the platform for theirs.
      </p>
    </EmptyState>
  </div>
)

interface AppsProps {
  readonly running: Running
  readonly resuming: Action
  readonly onStop: (app: RunningApp['app']) => void
  readonly onResume: (app: RunningApp['app']) => void
}

function Apps({ running, resuming, onStop, onResume }: AppsProps) {
  const here: Column<RunningApp> = {
    id: 'here',
    label: 'In this practice',
    render: ({ app, stopped }) =>
      stopped ? (
        <span class="stopped-here">
          <Pill tone="bad" icon="power">
            Stopped
          </Pill>
          <span class="small">
            By {stopped.by.name}, <Timestamp at={Date.parse(stopped.at)} now={Date.now()} />:{' '}
            {stopped.reason}
          </span>
          <Button isCompact isBusy={resuming.isBusy} onPress={() => onResume(app)}>
            Let it run again<span class="unseen"> {app.name}</span>
          </Button>
        </span>
      ) : (
        <Button isCompact tone="danger" icon="power" onPress={() => onStop(app)}>
          Stop here…<span class="unseen"> {app.name}</span>
        </Button>
      ),
  }
  const ehrs: Column<RunningApp> = {
    id: 'ehrs',
    label: 'Opens in',
    render: (item) => (
      <span class="two-lines">
        <span>{describeEhrs(item, running.ehrs)}</span>
        <small class="quiet">{item.autoLaunch ? 'by itself' : 'when chosen'}</small>
        {item.offOn.length > 0 && (
          <Pill tone="bad" icon="power" isPlain>
            Switched off by its vendor or the platform: {nameEhrs(item.offOn, running.ehrs)}
          </Pill>
        )}
      </span>
    ),
  }
  if (running.apps.length === 0) {
    return (
      <div class="card">
        <EmptyState icon="apps" title="This version has no app" />
      </div>
    )
  }
  return (
    <Section title="Apps">
      <div class="card list-card running">
        <RecordTable
          caption="Apps that run here"
          isCaptionHidden
          rows={running.apps}
          rowId={({ app }) => app.id}
          columns={[NAME, ehrs, ...FACTS, here]}
        />
      </div>
    </Section>
  )
}

const NAME: Column<RunningApp> = {
  id: 'app',
  label: 'App',
  render: ({ app, enabled }) => (
    <span class="two-lines">
      <AppName app={app} />
      <small class="quiet">of {app.vendor.name}</small>
      {!enabled && (
        <Pill tone="bad" icon="power" isPlain>
          Switched off by its vendor or the platform
        </Pill>
      )}
    </span>
  ),
}

const FACTS: readonly Column<RunningApp>[] = [
  {
    id: 'learns',
    label: 'Learns of your people',
    render: ({ learns }) => describeLearned(learns),
  },
  {
    id: 'launches',
    label: 'This week',
    render: ({ launches, lastLaunchAt }) =>
      lastLaunchAt === null ? (
        <span class="quiet">No launch</span>
      ) : (
        <span class="two-lines">
          <span>{launches === 1 ? '1 launch' : `${formatCount(launches)} launches`}</span>
          <small class="quiet">
            last <Timestamp at={Date.parse(lastLaunchAt)} now={Date.now()} />
          </small>
        </span>
      ),
  },
  { id: 'ready', label: 'Opened well', isNumber: true, render: renderShare },
]

/** The share of launches that is good. Of a hundred one may fail: a network that was away for a moment. */
const GOOD_SHARE = 0.99

function renderShare({ readyShare }: RunningApp) {
  if (readyShare === null) return <span class="quiet">–</span>
  const isGood = readyShare >= GOOD_SHARE
  return (
    <Pill tone={isGood ? 'good' : 'warn'} icon={isGood ? 'check' : 'alert'} isPlain>
      {percent(readyShare)}
    </Pill>
  )
}

const Places = ({ running: { ehrs } }: { readonly running: Running }) => (
  <Section title="Where it opens">
    <dl class="facts card padded">
      {ehrs.map(({ ehrType, name, matches }) => (
        <div key={ehrType}>
          <dt>{name}</dt>
          {matches.map((pattern) => (
            <dd key={pattern}>
              <code>{pattern}</code>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  </Section>
)
