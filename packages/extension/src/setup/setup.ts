// The first-run page: asks for the address of the service and stores it. A policy of the practice's
// administrators replaces the question. It asks whether the service answers there,
// when it opens and after each save.
import { chooseSettings, parseServiceAddress, type Sources } from '../settings.ts'
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
/** Counts the questions: an answer about an earlier address changes nothing. */
let asked = 0

async function show(): Promise<void> {
  const managed = await chrome.storage.managed
    .get<Record<string, unknown>>()
    .catch((): Record<string, unknown> => ({}))
  const local = await chrome.storage.local.get<Sources['local']>(['settings', 'confirmedService'])
  const built = { service: __CHARTSIDE_SERVICE__, isDevelopment: __CHARTSIDE_DEVELOPMENT__ }
  const settings = chooseSettings({ managed, local, built })
  input.value = settings?.proposed ?? settings?.service ?? ''
  if (settings?.isManaged || __CHARTSIDE_SERVICE__ !== null) {
    input.readOnly = true
    find('save').hidden = true
    find('intro').textContent = 'Your IT department has set this address.'
  }
  if (settings) await showWhetherItAnswers(settings.service, '', '')
}

async function showWhetherItAnswers(service: string, before: string, next: string): Promise<void> {
  asked += 1
  const question = asked
  const { problem: difficulty, detail = '' } = await checkService(service, location.origin)
  if (question !== asked) return
  saved.textContent = before + (difficulty ?? next)
  find('detail').textContent = detail
  support.hidden = difficulty === undefined
}

find<HTMLFormElement>('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const parsed = parseServiceAddress(input.value, __CHARTSIDE_DEVELOPMENT__)
  const isBad = 'problem' in parsed
  problem.textContent = isBad ? parsed.problem : ''
  input.setAttribute('aria-invalid', String(isBad))
  saved.textContent = ''
  support.hidden = true
  asked += 1
  if (isBad) return input.focus()
  await chrome.storage.local.set({ settings: { service: parsed.service } })
  const { confirmedService } = await chrome.storage.local.get<Sources['local']>('confirmedService')
  const isOther = confirmedService !== undefined && confirmedService !== parsed.service
  input.value = parsed.service
  saved.textContent = 'Saved. Asking whether the service answers…'
  const next = isOther
    ? 'Open the side panel, and confirm the new address.'
    : 'Open your EHR, then the side panel, and sign in.'
  await showWhetherItAnswers(parsed.service, 'Saved. ', next)
})

document.title = `Set up ${chrome.runtime.getManifest().name}`
void show()
