// The states on the page of all parts: pills, notice strips, skeleton, empty state.
// Invented data; nothing here talks to a server.
/** @jsxImportSource preact */
import {
  Button,
  EmptyState,
  NoticeStrip,
  Pill,
  Skeleton,
  STATES,
  StateBadge,
  type StateName,
} from '../../src/index.ts'

const NAMES = Object.keys(STATES) as StateName[]

export function States() {
  return (
    <section class="part" aria-labelledby="states">
      <h2 id="states">States</h2>
      <div class="examples">
        <div class="card pad stack">
          <div class="row">
            {NAMES.map((name) => (
              <StateBadge key={name} state={name} />
            ))}
          </div>
          <div class="row">
            <StateBadge state="failed" detail="exchange" />
            <StateBadge state="ended" detail="signed out" />
            <Pill tone="warn" icon="info">
              Staging
            </Pill>
            <Pill tone="accent" icon="person">
              Administrator
            </Pill>
          </div>
          <div class="row">
            <StateBadge state="ready" words="Ready since 9:31 AM" isPlain />
            <StateBadge state="failed" words="Could not start" isPlain />
          </div>
        </div>
        <div class="card">
          <NoticeStrip
            tone="warn"
            icon="clock"
            title="You will be signed out in 1:52"
            text="Nothing has moved for 28 minutes."
            action={<Button isCompact>Stay</Button>}
          />
          <NoticeStrip
            tone="bad"
            icon="alert"
            title="The service is not available"
            text="Trying again in 8 s. What you typed is kept."
            action={<Button isCompact>Try now</Button>}
          />
          <NoticeStrip tone="accent" icon="again" title="Renewing Visit Notes" />
        </div>
        <div class="card pad">
          <Skeleton label="Loading launches" lines={5} />
        </div>
        <div class="card">
          <EmptyState
            icon="search"
            title="No launch yet"
            actions={
              <>
                <Button tone="primary">Open the sandbox</Button>
                <Button>Register an app</Button>
              </>
            }
          >
            <p>A launch appears here as soon as a provider opens an app beside a chart.</p>
          </EmptyState>
        </div>
      </div>
    </section>
  )
}
