// The first-run page: asks for the address of the service and stores it. A policy of the practice's
// administrators replaces the question. Then it asks once whether the service answers there.
import { chooseSettings, parseServiceAddress } from '../settings.ts'
import { checkService } from './service-check.ts'

declare const __CHARTSIDE_SERVICE__: string | null
declare const __CHARTSIDE_DEVELOPMENT__: boolean

const find = <Element extends HTMLElement>(id: string): Element => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}.`)
  return element as Element
}

const input = find<HTMLInputElement>('service')
const problem = find('problem')
const saved = find('saved')
const support = find('support')
/** Counts what was saved: an answer about an earlier address changes nothing. */
let saves = 0

async function show(): Promise<void> {
  const managed = await chrome.storage.managed
    .get<Record<string, unknown>>()
    .catch((): Record<string, unknown> => ({}))
  const { settings: local = {} } = await chrome.storage.local.get<{
    settings?: Record<string, unknown>
  }>('settings')
  const built = { service: __CHARTSIDE_SERVICE__, isDevelopment: __CHARTSIDE_DEVELOPMENT__ }
  const settings = chooseSettings({ managed, local, built })
  input.value = settings?.service ?? ''
  if (!settings?.isManaged) return
  input.readOnly = true
  find('save').hidden = true
  find('intro').textContent = 'Your IT department has set this address.'
}

find<HTMLFormElement>('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const parsed = parseServiceAddress(input.value, __CHARTSIDE_DEVELOPMENT__)
  const isBad = 'problem' in parsed
  problem.textContent = isBad ? parsed.problem : ''
  input.setAttribute('aria-invalid', String(isBad))
  saved.textContent = ''
  support.hidden = true
  saves += 1
  const save = saves
  if (isBad) return input.focus()
  await chrome.storage.local.set({ settings: { service: parsed.service } })
  input.value = parsed.service
  saved.textContent = 'Saved. Asking whether the service answers…'
  const origin = location.origin
  const { problem: difficulty, detail = '' } = await checkService(parsed.service, origin)
  if (save !== saves) return
  saved.textContent = `Saved. ${difficulty ?? 'Open your EHR, then the side panel, and sign in.'}`
  find('detail').textContent = detail
  support.hidden = difficulty === undefined
})

void show()
