// Draws the timeline: the newest launch of the chosen app open on top, every other in one line. A card has the
// waterfall of the console, each failure with cause and fix, the notes of the host, and one report of all of it.
// The part owns DOM only; timeline.ts decides the content of a card.
/** @jsxImportSource preact */
import { CopyButton, listSpans, PARTY_NAMES, StateBadge, Waterfall } from '@chartside/ui'
import { formatTime, formatUtc } from '@chartside/ui/times'
import { type Signal, signal } from '@preact/signals'
import { type ComponentChildren, render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { byId } from './elements.ts'
import { buildReport } from './launch-report.ts'
import type { Card, Failure, Timeline } from './timeline.ts'

export interface TimelineView {
  /** Draws the cards as they are now. */
  update(): void
  /** The app whose tab is selected: its newest launch stands on top. */
  follow(appId: string | null): void
}

export interface TimelineViewOptions {
  readonly timeline: Timeline
  /** The addresses of the console, and of the explanations of codes. */
  readonly console: string
  readonly errors: string
  readonly action: HTMLElement
  readonly controls: readonly HTMLElement[]
}

export function startTimelineView(options: TimelineViewOptions): TimelineView {
  const cards = signal<readonly Card[]>([])
  const followed = signal<string | null>(null)
  render(<TimelinePage {...{ options, cards, followed }} />, byId('timeline', HTMLElement))
  let isAsked = false
  const draw = () => {
    isAsked = false
    cards.value = options.timeline.cards()
  }
  return {
    // Many events come at once, and a person sees one picture of them.
    update: () => {
      if (!isAsked) requestAnimationFrame(draw)
      isAsked = true
    },
    follow: (appId) => {
      followed.value = appId
    },
  }
}

interface TimelinePageProps {
  readonly options: TimelineViewOptions
  readonly cards: Signal<readonly Card[]>
  readonly followed: Signal<string | null>
}

function TimelinePage({ options, cards, followed }: TimelinePageProps) {
  const newest = cards.value.find(({ appId }) => appId === followed.value) ?? cards.value[0]
  const list = newest ? [newest, ...cards.value.filter((card) => card !== newest)] : []
  return (
    <>
      <header>
        <div class="title-row">
          <h2 id="timeline-title">Launch timeline</h2>
          <Elements of={[options.action]} />
        </div>
        <Elements of={options.controls} />
      </header>
      <div class="launches">
        {list.length === 0 && <p class="quiet">Launches appear here as they happen.</p>}
        {list.map((card) => (
          <LaunchCard
            key={card.id}
            card={card}
            isNewest={card === newest}
            console={options.console}
            errors={options.errors}
          />
        ))}
      </div>
    </>
  )
}

/** Elements that other files own, in the tree of this one. */
function Elements({ of }: { readonly of: readonly HTMLElement[] }) {
  const slot = useRef<HTMLDivElement>(null)
  useEffect(() => slot.current?.append(...of), [])
  return <div ref={slot} />
}

const KINDS = { ui: 'Panel', worker: 'Worker' }

interface LaunchCardProps {
  readonly card: Card
  readonly isNewest: boolean
  readonly console: string
  readonly errors: string
}

function LaunchCard({ card, isNewest, console, errors }: LaunchCardProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const [wasOpen, setWasOpen] = useState(isNewest)
  // A reader who opened or closed a card knows better, until another one is the newest.
  useEffect(() => {
    if (details.current) details.current.open = isNewest
  }, [isNewest])
  // A page may hold a hundred launches: a body is drawn once it was opened, and again when its card changed.
  const body = useMemo(
    () => (wasOpen ? <CardBody {...{ card, console, errors }} /> : null),
    [card, wasOpen, console, errors],
  )
  return (
    <details
      ref={details}
      class="launch"
      data-launch={card.id}
      data-app={card.app}
      onToggle={() => setWasOpen(true)}
    >
      <summary>
        <h3>
          {card.app}
          <small>{KINDS[card.kind]}</small>
        </h3>
        <span class="state">
          <StateBadge state={card.state} words={card.words} isPlain />
        </span>
      </summary>
      {body}
    </details>
  )
}

const CardBody = ({ card, console, errors }: Omit<LaunchCardProps, 'isNewest'>) => (
  <div class="launch-body">
    <Failures of={card.failures.filter(({ isRecovered }) => !isRecovered)} errors={errors} />
    <Waterfall
      label={`Steps of the launch of ${card.app}`}
      spans={listSpans(card.launch, undefined, Date.now())}
      partyNames={PARTY_NAMES}
      selected={null}
      onSelect={() => {}}
    />
    <Failures of={card.failures.filter(({ isRecovered }) => isRecovered)} errors={errors} />
    {card.notes.map(({ at, text }) => (
      <p key={`${at} ${text}`} class="note">
        <time dateTime={new Date(at).toISOString()} title={formatUtc(at)}>
          {formatTime(at)}
        </time>
        <span>{text}</span>
      </p>
    ))}
    <div class="row">
      <CopyButton text={buildReport(card)} label="Copy report" copy={copyText} />
      <a href={`${console}/${card.accountId}/launches/${card.id}`} target="_blank" rel="noopener">
        Open in the console
      </a>
    </div>
  </div>
)

const copyText = (text: string) => navigator.clipboard.writeText(text)

interface FailuresProps {
  readonly of: readonly Failure[]
  readonly errors: string
}

const Failures = ({ of, errors }: FailuresProps) =>
  of.map((failure) => (
    <FailureFacts key={`${failure.step} ${failure.code}`} failure={failure} errors={errors} />
  ))

interface FailureFactsProps {
  readonly failure: Failure
  readonly errors: string
}

function FailureFacts({ failure, errors }: FailureFactsProps) {
  const explained = (code: string | null) =>
    code && (
      <a href={`${errors}/${code}`} target="_blank" rel="noopener">
        {code}
      </a>
    )
  const rows: [name: string, look: string, content: ComponentChildren][] = [
    ['Step', '', failure.step],
    ['Code', 'code-text', explained(failure.code)],
    ['Reason', 'code-text', explained(failure.reason)],
    ['Cause', '', failure.cause],
    ['Fix', 'fix', failure.fix],
    ['Trace', 'code-text', failure.traceId],
  ]
  return (
    <dl class={failure.isRecovered ? 'failure late' : 'failure'}>
      {rows.map(([name, look, content]) =>
        content ? (
          <>
            <dt key={`${name} name`}>{name}</dt>
            <dd key={name} class={look}>
              {content}
            </dd>
          </>
        ) : null,
      )}
    </dl>
  )
}
