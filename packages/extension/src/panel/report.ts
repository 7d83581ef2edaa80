// What "Report a problem" shows and copies: what support asks for about the open app, with the launch and
// the versions, and one line of the user. Pure. It has no identifier of a chart and no bearer value.
import type { SupportFact } from '@chartside/ui'
import { listFacts, listPlace } from './app-covers.ts'
import { buildView, type PanelInput } from './panel-view.ts'
import type { Slot } from './slots.ts'
import { WORDS } from './words.ts'

export const MAX_LINE_LENGTH = 300

/** The facts about the open app; without one, the place and the version of the extension. */
export function listReport(input: PanelInput, hostVersion: string): SupportFact[] {
  const { appId } = buildView(input)
  const found = input.slots.find((one) => one.appId === appId)
  const { facts } = WORDS
  const sdkVersion = found?.sdkVersion ? `, SDK ${found.sdkVersion}` : ''
  const versions = { name: facts.versions, value: `${hostVersion}${sdkVersion}` }
  if (!found) return [...listPlace(input.state), versions]
  const slot = { ...found, traceId: findTrace(found) }
  return [
    ...listFacts({ app: { id: slot.appId, name: slot.name }, slot }, input),
    ...(slot.launchId === null ? [] : [{ name: facts.launch, value: slot.launchId }]),
    versions,
  ]
}

/** Of the refusal that the host saw; otherwise of the last step for which the service names one. */
const findTrace = ({ traceId, steps }: Slot): string =>
  traceId || (steps.findLast((step) => step.traceId)?.traceId ?? '')

/** The report as text, the line of the user first. */
export function formatReport(facts: readonly SupportFact[], line: string): string {
  const own = line.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH)
  return [
    ...(own === '' ? [] : [own]),
    ...facts.map(({ name, value }) => `${name}: ${value}`),
  ].join('\n')
}
