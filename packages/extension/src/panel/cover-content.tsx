// What lies over the frames: a skeleton while an app opens, a state page, or the list of background
// apps. It is opaque, and the frames below are inert.
/** @jsxImportSource preact */
import { AppIcon, MatchCode, Skeleton, StateBadge, StatePage, SupportFold } from '@chartside/ui'
import { ActionButton } from './action-button.tsx'
import type { PanelAction } from './actions.ts'
import type { BackgroundView } from './background-view.ts'
import { copyText } from './copy-text.ts'
import { Diagnostics } from './diagnostics.tsx'
import type { PageView } from './pages.ts'
import type { PanelView } from './panel-view.ts'
import { UnfoldedHead } from './unfolded-head.tsx'
import { WORDS } from './words.ts'

type CoverView = NonNullable<PanelView['cover']>
type Run = (action: PanelAction) => void

export function CoverContent({ cover, run }: { readonly cover: CoverView; readonly run: Run }) {
  if (cover.kind === 'page') {
    return (
      <div class="cover" data-state={cover.page.id}>
        <Page page={cover.page} run={run} />
      </div>
    )
  }
  if (cover.kind === 'background') {
    return (
      <div class="cover" data-state="background">
        <Background view={cover.background} run={run} />
      </div>
    )
  }
  if (cover.kind === 'diagnostics') {
    return (
      <div class="cover" data-state="diagnostics">
        <Diagnostics view={cover.diagnostics} back={cover.back} run={run} />
      </div>
    )
  }
  return (
    <div class="cover loading" data-state="loading" aria-busy="true">
      <Skeleton label={cover.label} lines={5} />
      {cover.title && (
        <div class="loading-text">
          <strong>{cover.title}</strong>
          <p class="quiet">{cover.text}</p>
        </div>
      )}
      {cover.buttons.length > 0 && (
        <div class="row">
          {cover.buttons.map((button) => (
            <ActionButton key={button.label} button={button} run={run} />
          ))}
        </div>
      )}
    </div>
  )
}

function Page({ page, run }: { readonly page: PageView; readonly run: Run }) {
  const { matchCode, notes = [], support } = page
  return (
    <StatePage
      icon={page.icon}
      tone={page.tone}
      title={page.title}
      isBusy={page.isBusy}
      actions={
        page.buttons.length > 0 &&
        page.buttons.map((button) => <ActionButton key={button.label} button={button} run={run} />)
      }
      support={support && <SupportFold facts={support} copy={copyText} words={WORDS.support} />}
    >
      {page.text.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {matchCode && <MatchCode code={matchCode} label={WORDS.matchCode} />}
      {notes.map((note, index) => (
        // The first counts down: its text is no key.
        <p key={`note-${index === 0}`} class="quiet small">
          {note}
        </p>
      ))}
    </StatePage>
  )
}

function Background({ view, run }: { readonly view: BackgroundView; readonly run: Run }) {
  return (
    <UnfoldedHead title={WORDS.background} back={view.back} returnTo="#background-button" run={run}>
      <ul>
        {view.rows.map((row) => (
          <li key={row.id} class="worker">
            <AppIcon id={row.id} name={row.name} iconUrl={row.iconUrl} />
            <span class="worker-words">
              <strong>{row.name}</strong>
              <StateBadge state={row.state} words={row.words} isPlain />
            </span>
            {row.button && <ActionButton button={row.button} run={run} isCompact />}
          </li>
        ))}
      </ul>
      <p class="quiet small">{WORDS.backgroundText}</p>
    </UnfoldedHead>
  )
}
