// One launch: what happened in a sentence, why, what to do and who can do it, where the time went against
// what the app usually takes, the refused request as it arrived, and a launch that became ready to compare.
/** @jsxImportSource preact */
import type { Launch, UsualTimes } from '@chartside/protocol/payloads'
import {
  Button,
  ConfirmDialog,
  CopyButton,
  formatCount,
  listSpans,
  PARTY_NAMES,
  Timestamp,
  VerdictCard,
  Waterfall,
} from '@chartside/ui'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { endLaunch, listCauses, loadLaunch, loadUsualTimes } from '../../api/launches.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useShortcut } from '../../keys/shortcuts.ts'
import { useRecord } from '../../load/use-record.ts'
import { copyText } from '../../parts/copy-text.ts'
import { LaunchState } from '../../parts/launch-state.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import { PersonLink } from '../../parts/person-link.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { place, setQuery } from '../../route/location.ts'
import type { PageProps } from '../../route/page-entry.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { announce, notify } from '../../shell/announcements.ts'
import { Comparison } from './comparison.tsx'
import { LaterEvents } from './later-events.tsx'
import { buildReport } from './request.ts'
import { RequestAndAnswer } from './request-and-answer.tsx'
import { SpanFacts } from './span-facts.tsx'
import { decideVerdict, type Responsible, stepsForPractice, type Verdict } from './verdict.ts'

const OPENING_POLL_MS = 1000
const OTHERS_MS = 7 * 86_400_000

export default function LaunchPage({ params: { id = '' }, scope }: PageProps) {
  return <LaunchView id={id} scope={scope} />
}

interface LaunchViewProps {
  readonly id: string
  readonly scope: Scope
  /** True beside the list of launches. */
  readonly isBeside?: boolean
}

export function LaunchView({ id, scope, isBeside = false }: LaunchViewProps) {
  const load = useRecord((signal) => loadLaunch(id, { signal }), id)
  const usual = useRecord((signal) => loadUsualTimes(id, { signal, isBackground: true }), id)
  const isOpening = load.data?.outcome === 'opening'
  useEffect(() => {
    if (!isOpening) return
    const timer = setInterval(load.reload, OPENING_POLL_MS)
    return () => clearInterval(timer)
  }, [isOpening, load.reload])
  return (
    <Loaded load={load} what="the launch">
      {(launch) => (
        <OneLaunch
          launch={launch}
          usual={usual.data}
          scope={scope}
          isBeside={isBeside}
          onEnded={load.reload}
        />
      )}
    </Loaded>
  )
}

interface OneLaunchProps {
  readonly launch: Launch
  readonly usual: UsualTimes | undefined
  readonly scope: Scope
  readonly isBeside: boolean
  readonly onEnded: () => void
}

/** The list that led here, with its filters. */
function listAddress(scope: Scope): string {
  const query = new URLSearchParams(place.value.query)
  const isOfList = query.has('launch')
  for (const name of ['launch', 'with']) query.delete(name)
  const address = scopedAddress(scope, 'launches')
  return isOfList && query.size > 0 ? `${address}?${query}` : address
}

function OneLaunch({ launch, usual, scope, isBeside, onEnded }: OneLaunchProps) {
  const verdict = decideVerdict(launch)
  const ownSteps = isOfPractice(launch, scope) ? stepsForPractice(verdict, launch) : undefined
  useEffect(() => {
    // The focus stays in the list.
    if (isBeside) announce(verdict.title)
  }, [launch.id])
  const selected = useSignal<string | null>(null)
  const compared = place.value.query.get('with') ?? undefined
  const report = () => buildReport(launch, verdict, location.href)
  const copyLink = () =>
    copyText(location.href).then(
      () => notify('good', 'Link copied.'),
      () => notify('bad', 'The browser did not let the page copy.'),
    )
  useShortcut({ keys: 'c', label: 'Copy the link', group: 'On this page' }, () => void copyLink())
  const other = usual?.lastReadyLaunchId
  return (
    <>
      <PageHead
        title={verdict.title}
        crumbs={isBeside ? [] : [{ label: 'Launches', address: listAddress(scope) }]}
        isBeside={isBeside}
        about={
          <>
            <LaunchState launch={launch} />{' '}
            <Timestamp at={Date.parse(launch.createdAt)} now={Date.now()} />
          </>
        }
        actions={
          <>
            <CopyButton text={report()} label="Copy report" isCompact={false} copy={copyText} />
            <Button onPress={() => print()}>Print</Button>
            {other !== undefined && (
              <Button
                onPress={() => setQuery({ with: compared === undefined ? other : undefined })}
              >
                {compared === undefined ? 'Compare with a good launch' : 'Stop comparing'}
              </Button>
            )}
            <EndLaunch launch={launch} scope={scope} onEnded={onEnded} />
          </>
        }
      />
      <Facts launch={launch} scope={scope} />
      <VerdictCard
        tone={verdict.tone}
        title={launch.outcome === 'failed' ? 'Why it failed' : 'What happened'}
        cause={verdict.cause}
        evidence={verdict.evidence}
        who={ownSteps ? 'you' : describeResponsible(verdict.who, launch)}
        steps={ownSteps ?? verdict.steps}
        action={<FixLink verdict={verdict} launch={launch} scope={scope} />}
        note={<Others verdict={verdict} launch={launch} scope={scope} />}
      />
      <Section
        title="Where the time went"
        about="Arrows move between the steps, Enter shows one. The tick is what this app usually takes."
      >
        <Waterfall
          label="Steps of the launch"
          spans={listSpans(launch, usual, Date.now())}
          partyNames={PARTY_NAMES}
          selected={selected.value}
          onSelect={(span) => {
            selected.value = selected.value === span ? null : span
          }}
        />
        <SpanFacts launch={launch} usual={usual} span={selected.value} />
      </Section>
      <LaterEvents launch={launch} />
      {compared !== undefined && <Comparison launch={launch} withId={compared} scope={scope} />}
      <RequestAndAnswer launch={launch} />
    </>
  )
}

/** It ran here, and the app is of another account: the service shows caller and registration to that one only. */
const isOfPractice = ({ account, steps }: Launch, scope: Scope): boolean =>
  scope.id === account.id && !steps.some(({ client, registered }) => client ?? registered)

function describeResponsible(who: Responsible, { app, userName }: Launch): string {
  switch (who) {
    case 'developer':
      return `a developer of ${app.name}`
    case 'app_admin':
      return `an administrator of the account of ${app.name}`
    case 'operator':
      return 'the operator of the platform'
    case 'provider':
      return userName ?? 'the provider'
    case 'nothing':
      return 'nothing is needed'
  }
}

function Facts({ launch, scope }: { readonly launch: Launch; readonly scope: Scope }) {
  const { app, account, userId, userName, ehrType, deviceId, kind, page } = launch
  const trace = launch.steps.findLast(({ traceId }) => traceId !== undefined)?.traceId
  const facts: [string, ComponentChildren][] = [
    ['Provider', userName && <PersonLink key="who" scope={scope} id={userId} name={userName} />],
    ['Practice', account.name],
    ['EHR', `${ehrType}, ${deviceId}`],
    ['App', `${app.name}, ${kind === 'ui' ? 'panel' : 'worker'}`],
    ['Host', page?.hostVersion],
    ['SDK', page?.sdkVersion],
    ['Created', <Timestamp key="created" at={Date.parse(launch.createdAt)} now={Date.now()} />],
    ['Launch', launch.id],
  ]
  return (
    <dl class="facts launch-facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
      {trace !== undefined && (
        <div>
          <dt>Trace</dt>
          <dd>
            <code>{trace}</code>{' '}
            <CopyButton text={trace} label="Copy the trace id" copy={copyText} />
          </dd>
        </div>
      )}
    </dl>
  )
}

interface VerdictPartProps {
  readonly verdict: Verdict
  readonly launch: Launch
  readonly scope: Scope
}

/**
 * Links to where the fix is made, for those who may make it: a practice sees launches of apps that it does not see.
 */
function FixLink({ verdict, launch, scope }: VerdictPartProps) {
  if (verdict.place === undefined || !isAllowedIn(scope, 'develop')) return null
  if (isOfPractice(launch, scope)) return null
  const words = { secrets: 'Client secrets of the app', addresses: 'Addresses of the app' }
  const id = encodeURIComponent(launch.app.id)
  return <a href={scopedAddress(scope, `apps/${id}`)}>{words[verdict.place]}</a>
}

function Others({ verdict, launch, scope }: VerdictPartProps) {
  const { reason } = verdict
  const causes = useRecord(
    (signal) =>
      reason === undefined
        ? Promise.resolve(undefined)
        : listCauses(
            { reason, appId: launch.app.id, from: new Date(Date.now() - OTHERS_MS).toISOString() },
            { signal, isBackground: true },
          ),
    `${launch.id} ${reason}`,
  )
  const count = (causes.data?.launches ?? 0) - 1
  if (reason === undefined || count < 1) return null
  const query = new URLSearchParams({ reason, appId: launch.app.id, outcome: 'failed', in: 'week' })
  return (
    <a href={`${scopedAddress(scope, 'launches')}?${query}`}>
      {count === 1
        ? '1 other like this'
        : `${formatCount(count)}${causes.data?.isCapped ? ' and more' : ''} others like this`}{' '}
      in the last week
    </a>
  )
}

function EndLaunch({
  launch,
  scope,
  onEnded,
}: {
  readonly launch: Launch
  readonly scope: Scope
  readonly onEnded: () => void
}) {
  const isAsking = useSignal(false)
  const isOwn = scope.id === launch.account.id || scope.kind === 'platform'
  if (launch.ended || !isOwn || !isAllowedIn(scope, 'run')) return null
  const end = async () => {
    isAsking.value = false
    try {
      await endLaunch(launch.id)
      notify('good', 'The launch has ended.')
    } catch (error) {
      notify('bad', error instanceof ApiProblem ? error.message : 'The service cannot be reached.')
    }
    onEnded()
  }
  return (
    <>
      <Button
        tone="danger"
        onPress={() => {
          isAsking.value = true
        }}
      >
        End this launch
      </Button>
      <ConfirmDialog
        isOpen={isAsking.value}
        title={`End this launch of ${launch.app.name}?`}
        button="End this launch"
        cancel="Keep it"
        typedName={launch.app.name}
        isDangerous
        onClose={() => {
          isAsking.value = false
        }}
        onConfirm={() => void end()}
      >
        <p>
          The app closes for {launch.userName ?? 'the provider'} at once, and its access token is
          dead. What is not saved in the app may be lost.
        </p>
      </ConfirmDialog>
    </>
  )
}
