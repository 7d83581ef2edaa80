// The rows of launches. A row is built again only when its launch has changed, so that many launches a
// second cost the rows that are new. J and K move between the rows, and show the launch where one is open beside them.
/** @jsxImportSource preact */
import type { Launch } from '@chartside/protocol/payloads'
import { Duration, StepStrip, Timestamp } from '@chartside/ui'
import { useMemo, useRef } from 'preact/hooks'
import { useShortcut } from '../../keys/shortcuts.ts'
import { LaunchState } from '../../parts/launch-state.tsx'
import { PersonLink } from '../../parts/person-link.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'
import { focusPane, hasRoom, openedLaunch, openLaunch } from './launch-pane.tsx'
import { describeCells, listCells, whyOf } from './launch-words.ts'
import { timeToReady } from './verdict.ts'

const HEADS = ['Time', 'App', 'State', 'Steps', 'Why'] as const

/** A column that says the same in every row is left out: a vendor sees no names, a practice itself. */
interface Columns {
  readonly hasProvider: boolean
  readonly hasPractice: boolean
}

export function LaunchTable({
  rows,
  scope,
}: {
  readonly rows: readonly Launch[]
  readonly scope: Scope
}) {
  const hasProvider = rows.some(({ userName }) => userName !== undefined && userName !== null)
  const hasPractice = rows.some(({ account }) => account.id !== scope.id)
  const heads = [
    ...HEADS,
    ...(hasProvider ? ['Provider'] : []),
    ...(hasPractice ? ['Practice'] : []),
  ]
  const body = useRef<HTMLTableSectionElement>(null)
  const opened = hasRoom.value ? openedLaunch() : undefined
  const move = (step: 1 | -1) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('th a') ?? [])]
    const focused = links.indexOf(document.activeElement as HTMLElement)
    const at = focused < 0 ? rows.findIndex(({ id }) => id === opened) : focused
    const next = Math.max(0, Math.min(links.length - 1, at + step))
    links[next]?.focus()
    const launch = rows[next]
    if (opened !== undefined && launch) openLaunch(launch.id, false)
  }
  useShortcut({ keys: 'j', label: 'Next row', group: 'On this page' }, () => move(1))
  useShortcut({ keys: 'k', label: 'Row before', group: 'On this page' }, () => move(-1))
  return (
    <div class="card list-card table-frame">
      <table class={`table launches with-${Number(hasProvider) + Number(hasPractice)}`}>
        <caption class="unseen">Launches, newest first</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col" class="number">
              Took
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((launch) => (
            <Row
              key={launch.id}
              launch={launch}
              scope={scope}
              columns={{ hasProvider, hasPractice }}
              isOpen={launch.id === opened}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly launch: Launch
  readonly scope: Scope
  readonly columns: Columns
  /** True while the launch is open beside the list. */
  readonly isOpen: boolean
}

/** Enter opens the launch, and goes into it when it is open already. With a modifier the link has its own page. */
function press(event: MouseEvent, id: string): void {
  const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (!hasRoom.peek() || !isPlain || event.button !== 0) return
  event.preventDefault()
  if (openedLaunch() === id) focusPane()
  else openLaunch(id, true)
}

function Row({ launch, scope, columns: { hasProvider, hasPractice }, isOpen }: RowProps) {
  return useMemo(() => {
    const took = timeToReady(launch)
    const address = scopedAddress(scope, `launches/${encodeURIComponent(launch.id)}`)
    return (
      <tr>
        <th scope="row">
          <a
            href={address}
            data-launch={launch.id}
            aria-current={isOpen ? 'true' : undefined}
            onClick={(event) => press(event, launch.id)}
          >
            <Timestamp at={Date.parse(launch.createdAt)} now={Date.now()} />
          </a>
        </th>
        <td data-label="App">
          <Name text={launch.app.name} />
        </td>
        <td data-label="State">
          <LaunchState launch={launch} />
        </td>
        <td data-label="Steps">
          <StepStrip label={describeCells(launch)} steps={listCells(launch)} />
        </td>
        <td data-label="Why" class="why">
          {whyOf(launch)}
        </td>
        {hasProvider && (
          <td data-label="Provider">
            {launch.userName === undefined ? (
              '–'
            ) : (
              <span class="clamped" title={launch.userName}>
                <PersonLink scope={scope} id={launch.userId} name={launch.userName} />
              </span>
            )}
          </td>
        )}
        {hasPractice && (
          <td data-label="Practice">
            <Name text={launch.account.name} />
          </td>
        )}
        <td data-label="Took" class="number">
          {took === undefined ? '–' : <Duration ms={took} />}
        </td>
      </tr>
    )
  }, [launch, scope.id, hasProvider, hasPractice, isOpen])
}

const Name = ({ text }: { readonly text: string }) => (
  <span class="clamped" title={text}>
    {text}
  </span>
)
