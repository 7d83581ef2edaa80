// The menu of named faults above the timeline. A fault of the page runs at once; a fault of the
// exchange is switched on at the sample EHR's server, and the app is launched again. Keeps the
// choice in the address. Owns the menu, not the faults (faults.ts).
import { FAULTS, type FaultName, findFault } from '../faults.ts'
import { readAddressBar, updateAddressBar } from './address-bar.ts'
import { button, el } from './elements.ts'

export interface FaultActions {
  reloadFrame(): void
  signOut(): void
  launchAgain(): void
}

export interface FaultMenu {
  readonly element: HTMLElement
  /** Switches on the fault that the address names. Await it before the first launch. */
  prepare(): Promise<void>
}

export function createFaultMenu(actions: FaultActions): FaultMenu {
  const choice = el(
    'select',
    { id: 'fault' },
    el('option', { value: '' }, 'Choose a fault…'),
    ...FAULTS.map(({ name, title }) => el('option', { value: name }, title)),
  )
  const expect = el('p', { class: 'expect' })
  const showProblem = (error: unknown): void => {
    expect.textContent = error instanceof Error ? error.message : 'The fault was not switched on.'
  }
  const start = button('Start', () => void run().catch(showProblem))
  const off = button('Switch off', () => void switchFault(null).catch(showProblem))

  const describe = (): void => {
    const fault = findFault(choice.value)
    expect.textContent = fault?.expect ?? ''
    start.disabled = !fault
    const on = readAddressBar().fault
    const isOn = fault?.kind === 'exchange' && on === fault.name
    start.textContent = isOn ? 'Launch again' : 'Start'
    off.hidden = !on
  }

  const switchFault = async (name: FaultName | null): Promise<void> => {
    await setServerFault(name)
    updateAddressBar({ fault: name })
    if (name === null) choice.value = ''
    describe()
  }

  const run = async (): Promise<void> => {
    const fault = findFault(choice.value)
    if (!fault) return
    if (fault.name === 'reload-frame') return actions.reloadFrame()
    if (fault.name === 'sign-out') return actions.signOut()
    await switchFault(fault.name)
    actions.launchAgain()
  }

  choice.addEventListener('change', describe)
  choice.value = findFault(readAddressBar().fault)?.name ?? ''
  describe()
  return {
    element: el(
      'div',
      { class: 'faults' },
      el('label', { for: 'fault', class: 'unseen' }, 'Fault'),
      choice,
      el('div', { class: 'fault-buttons' }, start, off),
      expect,
    ),
    prepare: () => setServerFault(findFault(readAddressBar().fault)?.name ?? null),
  }
}

/** @throws Error when the sample EHR does not answer, with what to do */
async function setServerFault(fault: FaultName | null): Promise<void> {
  const response = await fetch('/fault', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault }),
  }).catch(() => null)
  if (response?.ok) return
  throw new Error('The sample EHR did not switch the fault. Check that the sandbox still runs.')
}
