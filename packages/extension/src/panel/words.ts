// Every text that the panel shows or announces, in one place for translation. Words for providers: what
// happened, whether the chart is safe, what to do. Codes and causes stand only in the block for support.

export const WORDS = {
  brand: 'Chartside',
  apps: 'Apps',
  moreApps: 'more apps',
  more: 'More',
  back: 'Back',
  cancel: 'Cancel',
  tryAgain: 'Try again',

  starting: 'Starting',
  setupTitle: 'Chartside is not set up on this computer',
  setupText: 'It needs the address of your practice’s service. Your IT department has it.',
  setup: 'Set up',

  serviceChangeTitle: 'The address of the service was changed',
  serviceChangeText: (from: string, to: string) =>
    `You sign in at ${from}. The new address is ${to}.`,
  serviceChangeDo:
    'Change it only if you entered it yourself, or your IT department asked you to. Your password goes there.',
  serviceChangeLater: (to: string) =>
    `The new address is ${to}. Nothing changes until you sign out and confirm it.`,
  keepService: 'Keep the address',
  changeService: 'Change it',

  signInTitle: 'Sign in to open the apps of your practice',
  signIn: 'Sign in',
  signedOutTitle: 'You are signed out',
  signedOutBecause: {
    signed_out: 'You signed out.',
    idle: 'Nothing had moved for a while. Your chart is as you left it.',
    expired: 'A sign-in lasts one working day at most. Your chart is as you left it.',
    revoked: 'An administrator ended your sign-in. Your chart is as you left it.',
    refused: 'The sign-in was declined in its tab. If that was not you, tell your administrator.',
    timed_out: 'The sign-in took too long, so its code is no longer valid.',
    unreachable:
      'Chartside could not be reached. Check the network, then sign in again. If it stays so, the options of the extension say why.',
  } as Readonly<Record<string, string>>,

  signingInTitle: 'Continue in the tab that has opened',
  compareCode: 'Check that it shows this code:',
  matchCode: 'Match code',
  left: (time: string) => `${time} left`,
  otherCode: 'Another code, or none? Then close that tab and cancel here.',
  showTab: 'Show the tab',

  noEhrTitle: 'No chart in this tab',
  unseenTitle: 'No chart here that Chartside can see',
  noEhrText: (names: string) => `Your apps open beside ${names}.`,
  noEhrNone: 'Your practices have not set up an EHR yet. An administrator can do that.',
  noEhrDo: 'Go to a tab with a chart, and they open here.',
  allowText: (names: string) =>
    `To notice an open chart, Chartside needs the browser’s permission for ${names}.`,
  allowPrompt:
    'The browser asks about reading and changing data there. Chartside reads nothing of a chart.',
  allow: (name: string) => `Allow ${name}`,
  deniedText: (name: string) =>
    `You did not allow ${name}, so no apps open beside it. You can allow it at any time.`,
  blockedText: (name: string) =>
    `This browser does not let Chartside ask for ${name}. Your IT department can allow it.`,

  chooseTitle: 'Which practice is this chart of?',
  chooseText: (ehr: string) =>
    `More than one of your practices uses ${ehr}. This computer remembers your answer.`,
  openingEhr: (ehr: string) => `Opening your apps for ${ehr}`,

  emptyTitle: (ehr: string) => `No apps for ${ehr} yet`,
  emptyText: (practice: string) =>
    `${practice} has no apps that open beside it. An administrator can add some.`,
  lookAgain: 'Look again',

  endedTitle: 'Your apps have closed',
  endedBecause: {
    idle: 'Nothing had moved for a while.',
    expired: 'They were open for a long time.',
    revoked: 'An administrator ended your access to them.',
    account_closed: 'The practice has been closed.',
  } as Readonly<Record<string, string>>,
  endedText: 'The chart beside them is not affected.',
  openApps: 'Open them again',
  sessionFailedTitle: 'Your apps could not open',

  startTitle: 'Choose an app',
  startText: 'It opens here, beside the chart.',
  onlyBackgroundTitle: 'Your apps work in the background',
  onlyBackgroundText: 'None of them has a screen here. The button below shows how they are.',
  open: (app: string) => `Open ${app}`,

  opening: (app: string) => `Opening ${app}`,
  slow: (app: string) => `${app} is slow`,
  slowText: (time: string) => `Still waiting for it, ${time}. Your chart is not affected.`,
  openAgain: 'Open again',
  workWithout: 'Work without it',
  renewing: (app: string) => `Renewing ${app}`,
  renewingText: 'It opens again in a moment.',

  failedTitle: (app: string) => `${app} could not open`,
  failedText: 'This is not your doing, and nothing in the chart has changed.',
  failedDo: 'Trying again often works.',
  support: { title: 'For support', copy: 'Copy for support' },

  closedTitle: (app: string) => `${app} is closed`,
  closedText: 'Open it when you need it. The chart is not affected.',
  offTitle: (app: string) => `${app} was switched off`,
  offText: (time: string) => `An administrator stopped it at ${time}.`,
  offTextWithoutTime: 'An administrator stopped it.',
  offOthers: 'Your other apps continue, and nothing in the chart has changed.',

  soonTitle: (time: string) => `You will be signed out in ${time}`,
  soonText: 'You have not done anything here for a while. What is not saved would be lost.',
  soonForGoodText: 'A sign-in lasts one working day at most. Save your work, then sign in again.',
  stay: 'Stay',
  originGoneTitle: 'The tab that you came from is closed',
  originGoneText: 'No other chart was brought forward. Choose the one that you want to work in.',
  offlineTitle: 'No connection to Chartside',
  offlineText: 'Retrying automatically. Open apps may still work.',
  renewsTitle: (app: string, time: string) => `${app} renews in ${time}`,
  renewsText: 'It comes back automatically. Save what you are writing.',
  keptTitle: (app: string) => `${app} has ended`,
  keptText: 'What you have not saved is still here. Copy it before you close.',
  close: 'Close',

  chartUnnoticed: 'Chart changes are not noticed in this EHR',
  background: 'In the background',
  backgroundText: 'They work without a screen while you are signed in.',
  inBackground: 'in background',
  needAttention: (count: number) => (count === 1 ? 'needs attention' : 'need attention'),
  backTo: (app: string) => `Back to ${app}`,
  states: {
    opening: 'Starting',
    ready: 'Working',
    failed: 'Could not start',
    ended: 'Stopped',
    switched_off: 'Switched off',
    not_started: 'Not started',
  },
  badges: { opening: 'opening', failed: 'could not open', off: 'switched off', ended: 'closed' },

  launchAgain: (app: string) => `Launch ${app} again`,
  diagnostics: 'Diagnostics',
  diagnosticsDetail: 'For developers: the steps of this launch',
  diagnosticsOf: (app: string) => `Launch of ${app}`,
  diagnosticsEmpty: 'No step yet.',
  diagnosticsCopy: 'Copy report',
  pagesCheck: 'Check the pages of the app',
  pagesRunning: 'The service visits the pages…',
  pagesFailed: 'The pages were not checked',
  pagesMissing: (what: string) => `Missing: ${what}`,
  outcomes: { ok: 'Done', failed: 'Failed', note: 'Seen by the host' },

  changePractice: 'Work for another practice',
  report: 'Report a problem',
  reportDetail: 'Shows what support asks for',
  reportTitle: 'Report a problem',
  reportText: 'Send this to your support. The facts below name no patient.',
  reportLine: 'What happened?',
  reportLineHint: 'Optional, one line. Write no names of patients.',
  signOut: 'Sign out',
  closeDialog: 'Close',
  unsavedTitle: (app: string) => `${app} has work that is not saved`,
  unsavedText: 'It would be lost. Save it in the app first, or continue without it.',
  keepWorking: 'Keep working',
  launchAnyway: 'Launch again without it',
  signOutAnyway: 'Sign out without it',
  changeAnyway: 'Change without it',
  workOf: 'An app',

  facts: {
    app: 'App',
    state: 'State',
    step: 'Step',
    code: 'Code',
    cause: 'Cause',
    trace: 'Trace',
    launch: 'Launch',
    versions: 'Versions',
    time: 'Time',
    ehr: 'EHR',
    practice: 'Practice',
  },

  said: {
    ready: (app: string) => `${app} is ready.`,
    failed: (app: string) => `${app} could not open.`,
    ended: (app: string) => `${app} has ended.`,
    off: (app: string) => `${app} was switched off.`,
    signedOut: 'You are signed out.',
  },
} as const
