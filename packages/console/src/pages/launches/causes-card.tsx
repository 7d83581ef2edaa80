// The failures of a list by cause, the most frequent first: what explains most of them, and the others
// beside it. Each leads to its launches and to one example.
/** @jsxImportSource preact */
import type { LaunchCauses } from '@chartside/protocol/payloads'
import { Button, formatCount, Timestamp } from '@chartside/ui'
import { scopedAddress } from '../../route/addresses.ts'
import { setQuery } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'

const MAX_OTHERS = 5

export function CausesCard({
  causes: { items, launches: total, isCapped },
  scope,
}: {
  readonly causes: LaunchCauses
  readonly scope: Scope
}) {
  const [first, ...others] = items
  if (!first) return null
  const failures = `${isCapped ? 'the newest ' : ''}${formatCount(total)} failures`
  const launches = (count: number) => (count === 1 ? '1 launch' : `${formatCount(count)} launches`)
  const explained =
    others.length > 0
      ? `${formatCount(first.count)} of ${failures}`
      : total === 1
        ? 'the only failure'
        : `all ${failures}`
  // What the host merely reported can have many causes.
  const isReported = first.reason === 'host_reported'
  const title = isReported
    ? `Hosts report ${first.code ?? 'a failure'} for ${explained}`
    : `One cause explains ${explained}`
  return (
    <section class="card verdict tone-bad" aria-label="Failures by cause">
      <div class="verdict-columns">
        <div>
          <h2>{title}</h2>
          <p>
            <strong>{first.app.name}</strong>: {first.cause}
          </p>
          <p class="small quiet">
            <code>{isReported ? first.reason : (first.code ?? first.reason)}</code>,{' '}
            {launches(first.count)} since{' '}
            <Timestamp at={Date.parse(first.firstAt)} now={Date.now()} />
          </p>
          <p class="row">
            <a
              class="button primary"
              href={scopedAddress(scope, `launches/${encodeURIComponent(first.exampleLaunchId)}`)}
            >
              Show cause and fix
            </a>
            <Button
              onPress={() =>
                setQuery({ reason: first.reason, appId: first.app.id, outcome: undefined })
              }
            >
              Show these launches
            </Button>
          </p>
        </div>
        {others.length > 0 && (
          <div>
            <h3>Other causes</h3>
            <ul class="other-causes">
              {others.slice(0, MAX_OTHERS).map((cause) => (
                <li key={`${cause.app.id} ${cause.reason} ${cause.step} ${cause.code}`}>
                  <a
                    href={scopedAddress(
                      scope,
                      `launches/${encodeURIComponent(cause.exampleLaunchId)}`,
                    )}
                  >
                    {cause.app.name}
                  </a>
                  , {launches(cause.count)}: {cause.cause}
                  {cause.reason === 'host_reported' && cause.code && <code> {cause.code}</code>}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}
