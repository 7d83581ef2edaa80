// The state pages that stand where no app is: starting, signing in, no chart, nothing set up. Each says
// what happened and what to do, with at most one main button. Pure.
import type { IconName, SupportFact, Tone } from '@chartside/ui'
import { formatCountdown } from '@chartside/ui/times'
import type { PanelView as BackgroundView, PanelState } from '../messages.ts'
import type { ButtonView } from './actions.ts'
import { WORDS } from './words.ts'

export interface PageView {
  /** Names the state, for tests and styles. */
  readonly id: string
  readonly icon: IconName
  readonly tone: Tone
  readonly title: string
  readonly text: readonly string[]
  readonly matchCode?: string
  /** The notes below the code or the text, in quieter ink. */
  readonly notes?: readonly string[]
  readonly buttons: readonly ButtonView[]
  readonly support?: readonly SupportFact[]
  readonly isBusy?: boolean
}

const MAX_OFFERED_APPS = 6

type ViewOf<Kind extends BackgroundView['kind']> = Extract<BackgroundView, { kind: Kind }>

const STARTING: PageView = {
  id: 'starting',
  icon: 'spinner',
  tone: 'quiet',
  title: WORDS.starting,
  text: [],
  buttons: [],
  isBusy: true,
}

/** The refusal of the last request for an EHR, by the person or by the browser without asking. */
export interface AccessRefusal {
  readonly ehrName: string
  readonly by: 'person' | 'browser'
}

export interface PageInput {
  readonly accessRefusal?: AccessRefusal | null
}

export function buildPage(
  state: PanelState | null,
  now: number,
  { accessRefusal = null }: PageInput = {},
): PageView {
  const view = state?.view
  if (state?.serviceChange && view?.kind === 'signed_out') {
    return buildServiceChange(state.serviceChange)
  }
  switch (view?.kind) {
    case undefined:
      return STARTING
    case 'setup_needed':
      return SETUP_NEEDED
    case 'signed_out':
      return buildSignedOut(view)
    case 'signing_in':
      return buildSigningIn(view, now)
    case 'no_ehr':
      return buildNoEhr(view, accessRefusal)
    case 'choose_practice':
      return buildPracticeChoice(view)
    case 'opening':
      return { ...STARTING, id: 'opening-session', title: WORDS.openingEhr(view.ehrName) }
    case 'nothing_set_up':
      return buildNothingSetUp(view)
    case 'ended':
      return buildSessionEnded(view)
    case 'failed':
      return buildSessionFailed(view)
    case 'session':
      return view.apps.length === 0 ? ONLY_BACKGROUND : buildAppChoice(view)
  }
}

const SETUP_NEEDED: PageView = {
  id: 'setup-needed',
  icon: 'plug',
  tone: 'accent',
  title: WORDS.setupTitle,
  text: [WORDS.setupText],
  buttons: [
    {
      label: WORDS.setup,
      action: { type: 'send', command: { type: 'openSetup' } },
      isPrimary: true,
    },
  ],
}

const buildServiceChange = ({ from, to }: NonNullable<PanelState['serviceChange']>): PageView => ({
  id: 'service-change',
  icon: 'plug',
  tone: 'warn',
  title: WORDS.serviceChangeTitle,
  text: [WORDS.serviceChangeText(from, to), WORDS.serviceChangeDo],
  buttons: [
    main(WORDS.keepService, { type: 'chooseService', isProposed: false }),
    {
      label: WORDS.changeService,
      action: { type: 'send', command: { type: 'chooseService', isProposed: true } },
    },
  ],
})

const ONLY_BACKGROUND: PageView = {
  id: 'only-background',
  icon: 'layers',
  tone: 'accent',
  title: WORDS.onlyBackgroundTitle,
  text: [WORDS.onlyBackgroundText],
  buttons: [],
}

const buildSigningIn = ({ matchCode, expiresAt }: ViewOf<'signing_in'>, now: number): PageView => ({
  id: 'signing-in',
  icon: 'tab',
  tone: 'accent',
  title: WORDS.signingInTitle,
  text: [WORDS.compareCode],
  matchCode,
  notes: [WORDS.left(formatCountdown(expiresAt - now)), WORDS.otherCode],
  buttons: [
    main(WORDS.showTab, { type: 'showSignInTab' }),
    { label: WORDS.cancel, action: { type: 'send', command: { type: 'cancelSignIn' } } },
  ],
})

const buildPracticeChoice = ({ ehrName, practices }: ViewOf<'choose_practice'>): PageView => ({
  id: 'choose-practice',
  icon: 'person',
  tone: 'accent',
  title: WORDS.chooseTitle,
  text: [WORDS.chooseText(ehrName)],
  buttons: practices.map(({ id, name }) => ({
    label: name,
    action: { type: 'send', command: { type: 'choosePractice', practiceId: id } },
  })),
})

const buildNothingSetUp = ({ ehrName, practice }: ViewOf<'nothing_set_up'>): PageView => ({
  id: 'nothing-set-up',
  icon: 'apps',
  tone: 'quiet',
  title: WORDS.emptyTitle(ehrName),
  text: [WORDS.emptyText(practice.name)],
  buttons: [{ label: WORDS.lookAgain, action: { type: 'send', command: { type: 'openAgain' } } }],
})

const buildSessionEnded = ({ reason }: ViewOf<'ended'>): PageView => ({
  id: 'session-ended',
  icon: 'square',
  tone: 'quiet',
  title: WORDS.endedTitle,
  text: [find(WORDS.endedBecause, reason), WORDS.endedText].filter((line) => line !== ''),
  buttons: [main(WORDS.openApps, { type: 'openAgain' })],
})

const buildAppChoice = ({ apps }: ViewOf<'session'>): PageView => ({
  id: 'choose-app',
  icon: 'apps',
  tone: 'accent',
  title: WORDS.startTitle,
  text: [WORDS.startText],
  buttons: apps
    .slice(0, MAX_OFFERED_APPS)
    .map(({ id, name }) => ({ label: name, action: { type: 'openApp', appId: id } })),
})

function buildSignedOut({ because }: ViewOf<'signed_out'>): PageView {
  const why =
    because === null || because === 'signed_out' ? '' : find(WORDS.signedOutBecause, because)
  return {
    id: 'signed-out',
    icon: 'person',
    tone: 'accent',
    title: why === '' ? WORDS.signInTitle : WORDS.signedOutTitle,
    text: why === '' ? [] : [why],
    buttons: [main(WORDS.signIn, { type: 'signIn' })],
  }
}

function buildNoEhr(
  { ehrs, missingAccess }: ViewOf<'no_ehr'>,
  refusal: AccessRefusal | null,
): PageView {
  const names = [...new Set(ehrs.map(({ name }) => name))]
  const [missing] = missingAccess
  const text = names.length === 0 ? [WORDS.noEhrNone] : [WORDS.noEhrText(joinNames(names))]
  const isRefused = missingAccess.some(({ ehrName }) => ehrName === refusal?.ehrName)
  if (refusal && isRefused) {
    text.push((refusal.by === 'person' ? WORDS.deniedText : WORDS.blockedText)(refusal.ehrName))
  } else if (missing) {
    text.push(WORDS.allowText(joinNames(missingAccess.map(({ ehrName }) => ehrName))))
  } else if (names.length > 0) text.push(WORDS.noEhrDo)
  return {
    id: 'no-ehr',
    icon: 'chart',
    tone: 'quiet',
    title: missing ? WORDS.unseenTitle : WORDS.noEhrTitle,
    text,
    ...(missing ? { notes: [WORDS.allowPrompt] } : {}),
    buttons: missingAccess.map(({ ehrName, origins }, index) => ({
      label: WORDS.allow(ehrName),
      action: { type: 'allow', ehrName, origins },
      isPrimary: index === 0,
    })),
  }
}

function buildSessionFailed({ ehrName, code, message, traceId }: ViewOf<'failed'>): PageView {
  const { facts } = WORDS
  return {
    id: 'session-failed',
    icon: 'alert',
    tone: 'bad',
    title: WORDS.sessionFailedTitle,
    text: [WORDS.failedText],
    buttons: [main(WORDS.tryAgain, { type: 'openAgain' })],
    support: [
      { name: facts.ehr, value: ehrName },
      { name: facts.code, value: code },
      { name: facts.cause, value: message },
      ...(traceId === null ? [] : [{ name: facts.trace, value: traceId }]),
    ],
  }
}

const main = (
  label: string,
  command: Extract<ButtonView['action'], { type: 'send' }>['command'],
): ButtonView => ({ label, action: { type: 'send', command }, isPrimary: true })

/** Reasons that a later service adds have no words yet. */
const find = (words: Readonly<Record<string, string>>, reason: string) => words[reason] ?? ''

const joinNames = (names: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names)
