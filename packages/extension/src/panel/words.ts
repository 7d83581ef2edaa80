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
    unreachable: 'Chartside could not be reached. Check the network, then sign in again.',
  } as Readonly<Record<string, string>>,

  signingInTitle: 'Continue in the tab that has opened',
  compareCode: 'Check that it shows this code:',
  matchCode: 'Match code',
  left: (time: string) => `${time} left`,
  otherCode: 'Another code, or none? Close that tab and cancel.',
  showTab: 'Show the tab',

  noEhrTitle: 'No chart in this tab',
  noEhrText: (names: string) => `Your apps open beside ${names}.`,
  noEhrNone: 'Your practices have not set up an EHR yet. An administrator can do that.',
  noEhrDo: 'Go to a tab with a chart, and they open here.',
  allowText: (name: string) => `The browser does not yet let Chartside see ${name}.`,
  allow: (name: string) => `Allow ${name}`,

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
    expired: 'They were open for a long time.',
    account_closed: 'The practice has been closed.',
  } as Readonly<Record<string, string>>,
  endedText: 'The chart beside them is not affected.',
  openApps: 'Open them again',
  sessionFailedTitle: 'Your apps could not open',

  startTitle: 'Choose an app',
  startText: 'It opens here, beside the chart.',
  open: (app: string) => `Open ${app}`,

  opening: (app: string) => `Opening ${app}`,
  slow: (app: string, time: string) => `${app} is slow. Still waiting, ${time}.`,
  openAgain: 'Open again',
  workWithout: 'Work without it',
  renewing: (app: string) => `Renewing ${app}`,
  renewingText: (app: string) => `${app} opens again in a moment.`,

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
  stay: 'Stay',
  offlineTitle: 'No connection to Chartside',
  offlineText: 'Trying again by itself. Open apps may still work.',
  renewsTitle: (app: string, time: string) => `${app} renews in ${time}`,
  renewsText: 'It comes back by itself. Save what you are writing.',
  keptTitle: (app: string) => `${app} has ended`,
  keptText: 'What you have not saved is still here. Copy it before you close.',
  close: 'Close',

  background: 'In the background',
  backgroundText: 'They work without a screen while you are signed in.',
  inBackground: (count: number) =>
    count === 1 ? '1 app in the background' : `${count} apps in the background`,
  needAttention: (count: number) => (count === 1 ? '1 needs attention' : `${count} need attention`),
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
  report: 'Report a problem',
  reportDetail: 'Shows what support asks for',
  reportTitle: 'Report a problem',
  reportText: 'Send this to your support. It names no patient.',
  signOut: 'Sign out',
  closeDialog: 'Close',
  unsavedTitle: (app: string) => `${app} has work that is not saved`,
  unsavedText: 'It would be lost. Save it in the app first, or continue without it.',
  keepWorking: 'Keep working',
  launchAnyway: 'Launch again without it',
  signOutAnyway: 'Sign out without it',
  workOf: 'An app',

  facts: {
    app: 'App',
    state: 'State',
    step: 'Step',
    code: 'Code',
    cause: 'Cause',
    trace: 'Trace',
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
