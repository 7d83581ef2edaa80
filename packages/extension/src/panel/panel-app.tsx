// The panel as a whole: strip, notices, frames with what covers them, foot, and the dialogs that ask
// before work is lost. It draws a view and passes actions on; the frames live beside it and are never
// drawn again.
/** @jsxImportSource preact */
import {
  type Announcement,
  Icon,
  LiveRegion,
  Menu,
  type MenuItem,
  NoticeStrip,
  TabStrip,
} from '@chartside/ui'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { ActionButton } from './action-button.tsx'
import type { PanelAction } from './actions.ts'
import { CoverContent } from './cover-content.tsx'
import type { Hosting } from './hosting.ts'
import { PanelDialogs, type Question } from './panel-dialogs.tsx'
import { PanelFoot } from './panel-foot.tsx'
import type { PanelInput, PanelView } from './panel-view.ts'
import { WORDS } from './words.ts'

export interface PanelAppProps {
  readonly view: ReadonlySignal<PanelView>
  readonly input: ReadonlySignal<PanelInput>
  readonly said: ReadonlySignal<Announcement>
  readonly frames: HTMLElement
  readonly hosting: Pick<Hosting, 'show' | 'focus'>
  readonly act: (action: PanelAction) => void
  readonly isEmbedded: boolean
  readonly version: string
}

const CONTENT = 'content'

export function PanelApp(props: PanelAppProps) {
  const { view, input, said, frames, hosting, act } = props
  const Content = props.isEmbedded ? 'div' : 'main'
  const { tabs, open, notices, appId, cover, who, background, menu, isChartUnnoticed } = view.value
  const question = useSignal<Question | null>(null)
  const entered = useSignal<string | null>(null)
  const isShown = appId !== null && cover === null

  useLayoutEffect(() => hosting.show(appId, !isShown), [appId, isShown, input.value.slots])
  useEffect(() => {
    if (entered.value === null || entered.value !== appId || !isShown) return
    entered.value = null
    // The person may have gone on while it opened.
    if (document.activeElement?.getAttribute('role') === 'tab') hosting.focus(appId)
  }, [entered.value, appId, isShown])

  const run = (action: PanelAction) => {
    const asked = decideQuestion(action, input.value)
    if (asked) question.value = asked
    else act(action)
  }
  const name = tabs.find((tab) => tab.id === open)?.name
  return (
    <>
      <header class="strip">
        {tabs.length > 0 ? (
          <TabStrip
            label={WORDS.apps}
            moreLabel={WORDS.moreApps}
            tabs={tabs}
            open={open}
            controls={CONTENT}
            onOpen={(id, isEntered) => {
              entered.value = isEntered ? id : null
              run({ type: 'openApp', appId: id })
            }}
          />
        ) : (
          <Brand />
        )}
        {menu.length > 0 && (
          <Menu
            label={WORDS.more}
            items={menu.map(buildMenuItem)}
            onChoose={(id) => {
              const chosen = menu.find((item) => item.id === id)
              if (chosen) run(chosen.action)
            }}
          />
        )}
      </header>
      <div class="notices">
        {notices.map(({ id, button, ...notice }) => (
          <NoticeStrip
            key={id}
            {...notice}
            action={button && <ActionButton button={button} run={run} isCompact />}
          />
        ))}
      </div>
      <Content class="content">
        {cover?.kind !== 'page' && <h1 class="unseen">{name ?? WORDS.brand}</h1>}
        <div
          id={CONTENT}
          class="shown"
          {...(tabs.length > 0 && { role: 'tabpanel', 'aria-label': name ?? WORDS.startTitle })}
        >
          <FramesSlot frames={frames} isShown={isShown} />
          {cover && <CoverContent key={open} cover={cover} run={run} />}
        </div>
      </Content>
      {(who || background) && (
        <PanelFoot
          {...{ who, background, isChartUnnoticed }}
          isOpen={cover?.kind === 'background'}
          run={run}
        />
      )}
      <PanelDialogs
        question={question.value}
        input={input.value}
        version={props.version}
        onClose={() => {
          question.value = null
        }}
        act={act}
      />
      <LiveRegion {...said.value} />
    </>
  )
}

function Brand() {
  return (
    <span class="brand">
      <span class="brand-mark">
        <Icon name="panel" />
      </span>
      {WORDS.brand}
    </span>
  )
}

/** Holds the element with the frames; it has no children that are drawn. */
function FramesSlot({
  frames,
  isShown,
}: {
  readonly frames: HTMLElement
  readonly isShown: boolean
}) {
  const slot = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    slot.current?.append(frames)
  }, [])
  return <div ref={slot} class={isShown ? 'frames-slot' : 'frames-slot covered'} />
}

const ICONS = {
  again: 'again',
  practice: 'building',
  report: 'flag',
  diagnostics: 'search',
  signOut: 'leave',
} as const

const buildMenuItem = ({ id, label }: PanelView['menu'][number]): MenuItem => ({
  id,
  label,
  icon: ICONS[id],
  ...(id === 'report' ? { detail: WORDS.reportDetail } : {}),
  ...(id === 'diagnostics' ? { detail: WORDS.diagnosticsDetail } : {}),
  ...(id === 'signOut' ? { isFirstOfGroup: true } : {}),
})

/** The question that must be answered before an action; null when it may run. */
function decideQuestion(action: PanelAction, { slots }: PanelInput): Question | null {
  if (action.type === 'report') return { kind: 'report' }
  const isAtRisk = (appId: string) =>
    slots.some((slot) => slot.appId === appId && slot.hasUnsavedWork && slot.launchId !== null)
  const loses =
    action.type === 'launchAgain' || action.type === 'openForChart'
      ? [action.appId].filter(isAtRisk)
      : action.type === 'signOut' || action.type === 'changePractice'
        ? slots.map(({ appId }) => appId).filter(isAtRisk)
        : []
  const [first] = loses
  if (first === undefined) return null
  const name = slots.find(({ appId }) => appId === first)?.name ?? WORDS.workOf
  const labels = { signOut: WORDS.signOutAnyway, changePractice: WORDS.changeAnyway } as const
  const button =
    action.type in labels ? labels[action.type as keyof typeof labels] : WORDS.launchAnyway
  return { kind: 'unsaved', name, action, button }
}
