// The failures of a list by cause, the most frequent first: what explains most of them, and the others
// beside it. Each leads to its launches and to one example.
/** @jsxImportSource preact */
import type { LaunchCause } from '@chartside/protocol/payloads'
import { Button, Timestamp } from '@chartside/ui'
import { scopedAddress } from '../../route/addresses.ts'
import { setQuery } from '../../route/location.ts'
import type { Scope } from '../../session/scopes.ts'

const MAX_OTHERS = 5

export function CausesCard({
  causes,
  scope,
}: {
  readonly causes: readonly LaunchCause[]
  readonly scope: Scope
}) {
  const [first, ...others] = causes
  if (!first) return null
  const total = causes.reduce((sum, { count }) => sum + count, 0)
  const launches = (count: number) => (count === 1 ? '1 launch' : `${count} launches`)
  const title =
    others.length === 0
      ? `One cause explains ${total === 1 ? 'the only failure' : `all ${total} failures`}`
      : `One cause explains ${first.count} of ${total} failures`
  return (
    <section class="card verdict tone-bad" aria-label="Failures by cause">
      <div class="verdict-columns">
        <div>
          <h2>{title}</h2>
          <p>
            <strong>{first.app.name}</strong>: {first.cause}
          </p>
          <p class="small quiet">
            <code>{first.reason}</code>, {launches(first.count)} since{' '}
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
                <li key={`${cause.app.id} ${cause.reason} ${cause.step}`}>
                  <a
                    href={scopedAddress(
                      scope,
                      `launches/${encodeURIComponent(cause.exampleLaunchId)}`,
                    )}
                  >
                    {cause.app.name}
                  </a>
                  , {launches(cause.count)}: {cause.cause}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}
