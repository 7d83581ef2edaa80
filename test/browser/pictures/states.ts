// Every state of the console and of the pages around it that are pictured: its area, its name, and
// what a reader sees in it. `npm run tool -- pictures` takes them and writes a page for each area; a test compares.

export interface AreaStates {
  readonly title: string
  /** Below .chartside/pictures. */
  readonly folder: string
  readonly states: Readonly<Record<string, string>>
}

export const AREAS = {
  frame: {
    title: 'The frame of the console, and the API by hand',
    folder: 'console/frame',
    states: {
      overview: 'What is left to set up, ticked by having been done, and where everything is.',
      'overview-provider': 'The overview of a provider, who sets nothing up.',
      palette: 'An e-mail address in the palette leads to its person.',
      'palette-nothing': 'Nothing matches in the palette.',
      keys: 'The keys of the open page.',
      menu: 'The menu of the person.',
      drawer: 'Below 900 px the navigation is a drawer.',
      'account-choice': 'One account among very many is searched by name.',
      warning: 'Two minutes before the end of a sign-in; *Stay* is activity.',
      offline: 'No connection: what was loaded stays.',
      'offline-page': 'A page that is opened without a connection.',
      busy: 'The service cannot reach its storage, and says when to try again.',
      'not-found': 'An address that no page has, or an account that one is no member of.',
      'role-missing': 'A page that the role does not have, and whom to ask.',
      'api-list': 'The operations that the role has, found by words.',
      'api-question': 'Before a change the page says what it sends.',
      'api-answer': 'An answer with its status, trace id and headers.',
      'api-secret': 'A secret in an answer is shown once.',
      'api-refused': 'A refusal in the words of the service, and a field that is missing.',
      'api-not-yours': 'An operation that needs another role.',
    },
  },
  launches: {
    title: 'Launches and EHR sessions',
    folder: 'console/launches',
    states: {
      empty: 'No launch yet: how to get a first one.',
      loading: 'A slow answer: a skeleton after 300 ms.',
      list: 'Causes first, then launches with their seven steps.',
      failures: 'Failed launches only; the address keeps the filter.',
      'no-match': 'No launch matches the filter.',
      'unknown-trace': 'A trace id that belongs to no launch that the person sees.',
      waiting: 'New launches wait while the person reads.',
      picker: 'One app of very many, found by name.',
      vendor: 'A vendor chooses a practice among those of its launches.',
      opening: 'A launch that is opening, and what it waits for.',
      failed: 'Why a launch failed, what was seen, what to do and who can.',
      developer: 'The same as its developer: values sent and registered, no names of people.',
      silent: 'A page that fell silent: what to try, the likeliest first.',
      ready: 'A good launch, and where its time went.',
      compared: 'A failed launch beside a good one, step by step.',
      end: 'Ending a launch takes the typed name.',
      ended: 'A launch that an administrator has ended.',
      hostile: 'Names and details that strangers wrote stay text.',
      offline: 'A list without a connection.',
      'ehr-sessions': 'EHR sessions: who works where since when.',
      'ehr-session-end': 'Ending an EHR session takes the typed name.',
      'ehr-sessions-none': 'No EHR session of this state.',
    },
  },
  apps: {
    title: 'Apps',
    folder: 'console/apps',
    states: {
      empty: 'No app yet: what to do first.',
      registration:
        'Registration asks for what the option needs, and says what is wrong at its field.',
      provider: 'Option 3, with the addresses of an identity provider.',
      app: 'One app: identifiers, health, secrets, pages, registration, kill switch.',
      health: 'Health: how many launches became ready, how fast, and failures by cause.',
      'secret-label': 'A new secret gets a label.',
      secret: 'A secret is shown once; leaving the page before it is stored asks.',
      secrets: 'Secrets with their last use; one expires soon.',
      retire: 'Retiring a secret asks first.',
      preflight: 'The pre-flight names what keeps a page out of the panel.',
      conflict: 'Another person changed the app meanwhile: theirs and yours.',
      keys: 'A private key in place of a public one is refused at its field.',
      'kill-switch': 'The kill switch counts launches, and takes the typed name and a reason.',
      'switched-off':
        'A switched-off app; what the platform switched off, only the platform switches on.',
      delete: 'Deleting an app takes the typed name.',
      list: 'Apps of a vendor, one of them with a hostile name.',
      refused: 'The role was taken away meanwhile: whom to ask.',
      missing: 'An app that is not there, or not the person’s to see.',
    },
  },
  collections: {
    title: 'What runs where',
    folder: 'console/collections',
    states: {
      empty: 'No collection yet.',
      new: 'A new collection, with a name that is missing.',
      blank: 'A collection without an EHR and without apps.',
      draft: 'A draft: which app opens in which EHR, and what the next version would change.',
      'add-app': 'Adding an app.',
      ehr: 'An EHR is recognised by its addresses; one that matches too much is refused.',
      publish: 'Publishing shows every change, and who is affected.',
      practice: 'A practice follows the latest version, or is pinned to one.',
      changes: 'The second version takes an app off one EHR.',
      pinned: 'A practice that is pinned to an earlier version.',
      versions: 'Versions never change.',
      'roll-back': 'An earlier version becomes the draft.',
      conflict: 'Another person changed the draft meanwhile.',
      list: 'The collections of a practice, one with a hostile name.',
      reader: 'A provider reads what runs, and changes nothing.',
      offline: 'A change that cannot be saved without a connection.',
    },
  },
  people: {
    title: 'People and accounts',
    folder: 'console/people',
    states: {
      list: 'Members and the invited, with their roles.',
      actions: 'What an administrator may do with a member.',
      invite: 'Each role says what it may do.',
      mistakes: 'What is wrong with an invitation stands at its field.',
      link: 'The link is shown once. Chartside sends no mail.',
      role: 'Changing a role.',
      remove: 'Removing a member asks first.',
      person: 'A person of the practice: role, state, launches and sign-ins.',
      user: 'A person of the platform, with a role in each account.',
      'no-match': 'A search without a match.',
      reader: 'A provider sees the people, and changes none.',
      users: 'The users of the platform, for its administrators.',
      'add-user': 'Adding a person, here a second administrator.',
      disable: 'Disabling a person everywhere takes the typed name.',
      disabled: 'Disabled people stay in the list.',
      accounts: 'Practices and vendors.',
      'new-account': 'A new account, with a name that is missing.',
      account: 'The settings of one account.',
      conflict: 'Changed meanwhile: theirs and yours, and nothing saved until one is chosen.',
      'delete-account': 'Deleting an account takes the typed name.',
      hostile: 'Names that strangers wrote stay text.',
    },
  },
  settings: {
    title: 'My profile, ways to sign in, second factor, sessions',
    folder: 'console/settings',
    states: {
      profile: 'My name, my address and where I belong.',
      'profile-mistake': 'A name that is missing.',
      'sign-in': 'My ways to sign in, and a second factor that is off.',
      'sign-in-again': 'A change takes a sign-in of the last ten minutes.',
      'second-factor': 'Setting a second factor up.',
      'wrong-code': 'A code that is not the current one.',
      'recovery-codes': 'Recovery codes are shown once.',
      'second-factor-on': 'A second factor that is on.',
      'new-codes': 'New recovery codes take a code.',
      'turn-off': 'A code that is too short to turn the second factor off.',
      sessions: 'Where I am signed in; one place ends, or all.',
      everywhere: 'Signing out everywhere asks first.',
      required: 'A second factor that an account requires.',
    },
  },
  audit: {
    title: 'Audit',
    folder: 'console/audit',
    states: {
      list: 'The trail, newest first.',
      platform: 'The trail of the platform.',
      event: 'One event with its place and its hash.',
      refused: 'Refused calls only.',
      'nothing-found': 'Nothing found.',
      'no-time': 'No event in this time; times in UTC.',
      verified: 'Unbroken, with the end to keep.',
      broken: 'An event was changed in the database.',
      'not-readable': 'The trail could not be read to the end.',
      seen: 'What a person saw, with totals.',
      hostile: 'What strangers wrote stays text.',
      loading: 'A slow answer: a skeleton after 300 ms.',
      'role-missing': 'The trail is for administrators, who are named.',
    },
  },
  signIn: {
    title: 'Sign-in, errors, regions and outages',
    folder: 'sign-in',
    states: {
      'sign-in': 'One thing: who are you?',
      'wrong-password': 'A wrong password, said at its field; the address stays.',
      'too-many': 'Too many attempts: until when, and the other ways.',
      codes: 'The code of the side panel, asked once, at the end.',
      done: 'Signed in: what to do next.',
      refused: 'Said no: no one is signed in, and what to do if it was not you.',
      'new-method': 'An invitation: choose a password or a passkey.',
      'weak-password': 'A password that is too short.',
      'second-factor': 'The code of the second factor.',
      'second-factor-setup':
        'A second factor that is required is set up between password and consent.',
      'authorize-error': 'An app could not open: words for the provider, a fold for its developer.',
      'dead-link': 'A link that is not valid.',
      'not-found': 'Nothing at this address.',
      'step-over': 'A step that is over.',
      'not-complete': 'An address of sign-in without what it needs.',
      region: 'The console from a country that is not allowed.',
      outage: 'The service cannot reach its storage.',
      'outage-launch': 'An app during an outage.',
    },
  },
} as const satisfies Readonly<Record<string, AreaStates>>

export type AreaName = keyof typeof AREAS

/** The page of an area: every state with a sentence and its sheet. */
export function buildGallery({ title, states }: AreaStates): string {
  const shown = Object.entries(states).map(
    ([name, sentence]) => `**${sentence}**\n\n![${sentence.replaceAll('*', '')}](${name}.webp)\n`,
  )
  return `# ${title}

Each picture shows one state in four views: light, 420 px wide, dark, and forced colors. \`npm run tool -- pictures\` plays every state on the
real service, finds nothing with axe-core in any view, and writes this page.

${shown.join('\n')}`
}
