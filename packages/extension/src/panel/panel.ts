// The panel document of one tab: shows the state that the background sends, and hosts the UI apps of its
// EHR session. In plain DOM. The session token of a grant stays in the memory of this document.
import { createHost, type Host, type OpenFrame } from '@chartside/host'
import type { BackgroundMessage, HostGrant, PanelState, PanelView } from '../messages.ts'
import { connectToBackground } from '../panel-connection.ts'

interface Hosted {
  readonly grant: HostGrant
  readonly host: Host
  readonly frames: Map<string, { readonly mount: HTMLElement; frame: OpenFrame | null }>
}

const found = document.getElementById('panel')
if (!found) throw new Error('The page has no #panel.')
const page = found
const above = document.createElement('div')
const places = document.createElement('div')
places.className = 'frame'
places.hidden = true
page.append(above, places)

let hosted: Hosted | null = null
const connection = connectToBackground(receive)

function receive(message: BackgroundMessage): void {
  if (message.type === 'grant') startHost(message.grant)
  else if (message.type === 'withdraw') stopHost(message.sessionId)
  else showState(message.state)
}

function startHost(grant: HostGrant): void {
  if (hosted?.grant.session.id === grant.session.id) return
  if (hosted) stopHost(hosted.grant.session.id)
  const host = createHost({
    ...grant,
    onEvent: (event) => event.type === 'relaunched' && reportLaunches(),
  })
  hosted = { grant, host, frames: new Map() }
  const apps = grant.session.apps.filter(({ kinds }) => kinds.includes('ui'))
  const launched = apps.filter(({ autoLaunch }) => autoLaunch)
  for (const { id } of launched) void openApp(id)
  if (launched[0]) showApp(launched[0].id)
}

function stopHost(sessionId: string): void {
  if (hosted?.grant.session.id !== sessionId) return
  hosted.host.close()
  places.replaceChildren()
  hosted = null
  reportLaunches()
}

async function openApp(appId: string): Promise<void> {
  const { host, frames, grant } = hosted ?? {}
  if (!host || !frames || frames.has(appId)) return
  const mount = document.createElement('div')
  mount.className = 'frame'
  mount.hidden = true
  mount.dataset.app = appId
  places.append(mount)
  frames.set(appId, { mount, frame: null })
  const launch = grant?.launches.find(({ app }) => app.id === appId)
  try {
    const options = { appId, kind: 'ui', mount } as const
    const frame = await host.open(launch ? { ...options, launch } : options)
    frames.set(appId, { mount, frame })
    reportLaunches()
  } catch (error) {
    mount.textContent = error instanceof Error ? error.message : 'The app could not be opened.'
  }
}

function reportLaunches(): void {
  const frames = [...(hosted?.frames.values() ?? [])]
  const launches = frames.flatMap(({ frame }) => (frame ? [frame.launch.id] : []))
  connection.send({ type: 'launches', launches })
}

function showApp(appId: string): void {
  void openApp(appId)
  for (const [id, { mount }] of hosted?.frames ?? []) mount.hidden = id !== appId
}

function showState({ view, person, isOffline, signsOutAt }: PanelState): void {
  const parts = buildView(view)
  if (isOffline) parts.unshift(line('The service cannot be reached. Open apps stay open.'))
  if (signsOutAt !== null) {
    parts.unshift(line('You will be signed out soon.'), button('Stay', { type: 'stay' }))
  }
  if (person) parts.push(line(person.name), button('Sign out', { type: 'signOut' }))
  above.className = 'state'
  above.dataset.view = view.kind
  above.replaceChildren(...parts)
  places.hidden = view.kind !== 'session'
}

function buildView(view: PanelView): HTMLElement[] {
  switch (view.kind) {
    case 'setup_needed':
      return [line('Not set up yet.'), button('Set up', { type: 'openSetup' })]
    case 'signed_out':
      return [line('You are signed out.'), button('Sign in', { type: 'signIn' })]
    case 'signing_in': {
      const code = line(view.matchCode)
      code.className = 'code'
      return [
        line('Compare this code with the page:'),
        code,
        button('Show the tab', { type: 'showSignInTab' }),
        button('Cancel', { type: 'cancelSignIn' }),
      ]
    }
    case 'no_ehr':
      return [
        line('No EHR of your practice in this tab.'),
        ...view.missingAccess.map(({ ehrName, origins }) =>
          action(`Let this extension see ${ehrName}`, () => {
            void chrome.permissions.request({ origins: [...origins] })
          }),
        ),
      ]
    case 'choose_practice':
      return [
        line(`Which practice are you working for in ${view.ehrName}?`),
        ...view.practices.map(({ id, name }) =>
          button(name, { type: 'choosePractice', practiceId: id }),
        ),
      ]
    case 'opening':
      return [line(`Opening the apps of ${view.practice.name}…`)]
    case 'nothing_set_up':
      return [line(`${view.practice.name} runs no apps on ${view.ehrName}.`)]
    case 'ended':
      return [line('The session has ended.'), button('Open again', { type: 'openAgain' })]
    case 'failed':
      return [line(view.message), button('Try again', { type: 'openAgain' })]
    case 'session':
      return [
        line(`${view.practice.name}, ${view.ehrName}`),
        ...view.apps.map(({ id, name }) => action(name, () => showApp(id))),
        ...view.workers.map(({ name, state }) => line(`${name}: ${state.kind}`)),
      ]
  }
}

function line(text: string): HTMLElement {
  const element = document.createElement('p')
  element.textContent = text
  return element
}

function action(text: string, onClick: () => void): HTMLElement {
  const element = document.createElement('button')
  element.textContent = text
  element.addEventListener('click', onClick)
  return element
}

const button = (text: string, command: Parameters<typeof connection.send>[0]): HTMLElement =>
  action(text, () => connection.send(command))

for (const type of ['keydown', 'pointerdown'] as const) {
  window.addEventListener(type, () => connection.send({ type: 'activity' }), { passive: true })
}
