// The menu of named faults above the timeline. A fault of the page runs at once; a fault of the
// exchange is switched on at the sample EHR's server, for this EHR session only, and the app is
// launched again. Keeps the choice in the address. Owns the menu, not the faults (faults.ts).
import { FAULTS, type FaultName, findFault } from '../faults.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { button, el } from './elements.ts'

export interface FaultActions {
  reloadFrame(): void
  flipCharts(): void
  signOut(): void
  launchAgain(): void
}

export interface FaultMenu {
  readonly element: HTMLElement
  /** Switches on the fault that the address names, in this EHR session. Await it before a launch. */
  begin(sessionId: string): Promise<void>
  /** The EHR session has ended, and its fault with it. */
  end(): void
}

const FIRST = 'Switch it off before this one: the apps then open again.'

export function createFaultMenu(actions: FaultActions): FaultMenu {
  const choice = el(
    'select',
    { id: 'fault', class: 'input' },
    el('option', { value: '' }, 'No fault'),
    ...FAULTS.map(({ name, title }) => el('option', { value: name }, title)),
  )
  const expect = el('p', { class: 'expect' })
  const isOn = el('p', { class: 'fault-on', role: 'status' })
  const showProblem = (error: unknown): void => {
    expect.textContent = error instanceof Error ? error.message : 'The fault was not switched on.'
  }
  const start = button('Start', () => void run().catch(showProblem))
  const off = button('Switch off', () => void endFault().catch(showProblem))
  let session: string | null = null

  const describe = (): void => {
    const fault = findFault(choice.value)
    const on = findFault(readAddressBar().fault)
    const isExchangeOn = on?.kind === 'exchange' && session !== null
    expect.textContent = fault?.expect ?? ''
    // It needs an app that opened.
    const isInTheWay = isExchangeOn && fault?.kind === 'page' && fault.name !== 'sign-out'
    start.disabled = !fault || session === null || isInTheWay
    start.textContent = isExchangeOn && fault === on ? 'Play it again' : 'Start'
    off.hidden = !isExchangeOn
    isOn.textContent = isExchangeOn
      ? `A fault is on in this session: ${on.title}. ${isInTheWay ? FIRST : ''}`.trim()
      : ''
  }

  const switchFault = async (name: FaultName | null): Promise<void> => {
    if (session === null) return
    await setServerFault(session, name)
    updateAddressBar({ fault: name })
    if (name === null) choice.value = ''
    describe()
  }

  const endFault = async (): Promise<void> => {
    await switchFault(null)
    actions.launchAgain()
  }

  const run = async (): Promise<void> => {
    const fault = findFault(choice.value)
    if (!fault || playsOnPage(fault.name, actions)) return
    await switchFault(fault.name)
    actions.launchAgain()
  }

  choice.addEventListener('change', () => {
    describe()
    if (choice.value === '') switchFault(null).catch(showProblem)
  })
  choice.value = findFault(readAddressBar().fault)?.name ?? ''
  describe()
  return {
    element: el(
      'div',
      { class: 'faults' },
      el('label', { for: 'fault', class: 'unseen' }, 'Fault'),
      choice,
      el('div', { class: 'fault-buttons' }, start, off),
      isOn,
      expect,
    ),
    begin: async (sessionId) => {
      session = sessionId
      const fault = findFault(readAddressBar().fault)
      if (fault?.kind === 'exchange') await setServerFault(sessionId, fault.name)
      describe()
    },
    end: () => {
      session = null
      describe()
    },
  }
}

/** Plays a fault of the page; false when the fault is one of the exchange. */
function playsOnPage(fault: FaultName, actions: FaultActions): boolean {
  if (fault === 'reload-frame') actions.reloadFrame()
  else if (fault === 'chart-flips') actions.flipCharts()
  else if (fault === 'sign-out') actions.signOut()
  else return false
  return true
}

/** @throws Error when the sample EHR does not answer, with what to do */
async function setServerFault(sessionId: string, fault: FaultName | null): Promise<void> {
  const response = await fetch('/fault', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, fault }),
  }).catch(() => null)
  if (response?.ok) return
  throw new Error('The sample EHR did not switch the fault. Check that the sandbox still runs.')
}
