// The menu of named faults above the timeline. A fault of the page runs at once; a fault of the
// exchange is switched on at the sample EHR's server, and the app is launched again to meet it.
// Keeps the choice in the address. Owns the menu, not the faults (faults.ts).
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
  /** Makes the server play what the address asks for; to be awaited before the first launch. */
  prepare(): Promise<void>
}

export function createFaultMenu(actions: FaultActions): FaultMenu {
  const choice = el(
    'select',
    { id: 'fault' },
    el('option', { value: '' }, 'Choose a fault to play…'),
    ...FAULTS.map(({ name, title }) => el('option', { value: name }, title)),
  )
  const expect = el('p', { class: 'expect' })
  const showProblem = (error: unknown): void => {
    expect.textContent = error instanceof Error ? error.message : 'The fault was not played.'
  }
  const run = button('Play it', () => void play().catch(showProblem))
  const off = button('Switch off', () => void switchFault(null).catch(showProblem))

  const describe = (): void => {
    const fault = findFault(choice.value)
    expect.textContent = fault?.expect ?? ''
    run.disabled = !fault
    const on = readAddressBar().fault
    const isOn = fault?.kind === 'exchange' && on === fault.name
    run.textContent = isOn ? 'Launch again' : 'Play it'
    off.hidden = !on
  }

  const switchFault = async (name: FaultName | null): Promise<void> => {
    await tellServer(name)
    updateAddressBar({ fault: name })
    if (name === null) choice.value = ''
    describe()
  }

  const play = async (): Promise<void> => {
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
      el('label', { for: 'fault', class: 'unseen' }, 'Fault to play'),
      choice,
      el('div', { class: 'fault-buttons' }, run, off),
      expect,
    ),
    prepare: () => tellServer(findFault(readAddressBar().fault)?.name ?? null),
  }
}

/** @throws Error that says what to do when the sample EHR does not take it. */
async function tellServer(fault: FaultName | null): Promise<void> {
  const response = await fetch('/fault', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault }),
  }).catch(() => null)
  if (response?.ok) return
  throw new Error('The sample EHR does not take the fault. Is the sandbox still running?')
}
