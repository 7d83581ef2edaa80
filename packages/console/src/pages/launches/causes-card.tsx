// The failures of a list by cause over apps, the most frequent first: what explains most of them with the apps that
// it hit, and the other causes beside it. Each leads to its launches and to one example.
/** @jsxImportSource preact */
import type { LaunchCause, LaunchCauses } from '@chartside/protocol/payloads'
import { Button, formatCount, Timestamp } from '@chartside/ui'
import { scopedAddress } from '../../route/addresses.ts'
import { setQuery } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'

const MAX_OTHERS = 5
const MAX_APPS = 5

const launchesOf = (count: number) => (count === 1 ? '1 launch' : `${formatCount(count)} launches`)

const moreApps = (count: number) => (count === 1 ? '1 more app' : `${formatCount(count)} more apps`)

interface PartProps {
  readonly cause: LaunchCause
  readonly scope: Scope
}

export function CausesCard({
  causes,
  scope,
}: {
  readonly causes: LaunchCauses
  readonly scope: Scope
}) {
  const [first, ...others] = causes.items
  if (!first) return null
  return (
    <section class="card verdict tone-bad" aria-label="Failures by cause">
      <div class="verdict-columns">
        <div>
          <h2>{describeFirst(first, causes)}</h2>
          <FirstCause cause={first} scope={scope} />
        </div>
        {others.length > 0 && (
          <div>
            <h3>Other causes</h3>
            <ul class="other-causes">
              {others.slice(0, MAX_OTHERS).map((cause) => (
                <li key={`${cause.reason} ${cause.step} ${cause.code}`}>
                  <OtherCause cause={cause} scope={scope} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}

/** True for a reason that the host merely reported, which can have many causes. */
const isReported = ({ reason }: LaunchCause) => reason === 'host_reported'

function describeFirst(first: LaunchCause, { items, launches, isCapped }: LaunchCauses): string {
  const failures = `${isCapped ? 'the newest ' : ''}${formatCount(launches)} failures`
  const explained =
    items.length > 1
      ? `${formatCount(first.count)} of ${failures}`
      : launches === 1
        ? 'the only failure'
        : `all ${failures}`
  return isReported(first)
    ? `Hosts report ${first.code ?? 'a failure'} for ${explained}`
    : `One cause explains ${explained}`
}

function FirstCause({ cause, scope }: PartProps) {
  const { apps, appCount, code, count, exampleLaunchId, firstAt, lastAt, reason } = cause
  const now = Date.now()
  const [from, to] = [Date.parse(firstAt), Date.parse(lastAt)]
  const show = (appId: string | undefined) => setQuery({ reason, appId, outcome: 'failed' })
  const [only, ...more] = apps
  return (
    <>
      <p>
        {more.length === 0 && <strong>{only?.app.name}: </strong>}
        {cause.cause}
      </p>
      {more.length > 0 && (
        <ul class="row" aria-label="Apps with this cause">
          {apps.slice(0, MAX_APPS).map(({ app, count: ofApp }) => (
            <li key={app.id}>
              <Button isCompact onPress={() => show(app.id)}>
                <span>
                  <bdi>{app.name}</bdi>, {launchesOf(ofApp)}
                </span>
              </Button>
            </li>
          ))}
          {appCount > MAX_APPS && <li class="quiet">and {moreApps(appCount - MAX_APPS)}</li>}
        </ul>
      )}
      <p class="small quiet">
        <code>{isReported(cause) ? reason : (code ?? reason)}</code>, {launchesOf(count)} from{' '}
        <Timestamp at={from} now={now} /> to <Timestamp at={to} now={now} />
      </p>
      <p class="row">
        <a
          class="button primary"
          href={scopedAddress(scope, `launches/${encodeURIComponent(exampleLaunchId)}`)}
        >
          Show cause and fix
        </a>
        <Button onPress={() => show(more.length === 0 ? only?.app.id : undefined)}>
          Show these launches
        </Button>
      </p>
    </>
  )
}

function OtherCause({ cause, scope }: PartProps) {
  const { app, appCount, code, count, exampleLaunchId } = cause
  return (
    <>
      <a href={scopedAddress(scope, `launches/${encodeURIComponent(exampleLaunchId)}`)}>
        <bdi>{app.name}</bdi>
        {appCount > 1 && ` and ${moreApps(appCount - 1)}`}
      </a>
      , {launchesOf(count)}: {cause.cause}
      {isReported(cause) && code && <code> {code}</code>}
    </>
  )
}
