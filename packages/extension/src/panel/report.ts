// What "Report a problem" shows and copies: what support asks for about the open app, with the launch and
// the versions, and one line of the user. Pure. It has no identifier of a chart and no bearer value.
import type { SupportFact } from '@chartside/ui'
import type { Problem } from '../messages.ts'
import { listFacts, listPlace } from './app-covers.ts'
import { buildView, type PanelInput } from './panel-view.ts'
import type { Slot } from './slots.ts'
import { WORDS } from './words.ts'

export const MAX_LINE_LENGTH = 300

/** The versions of this host and its browser; '' when unknown. */
export interface OwnVersions {
  readonly host: string
  readonly browser: string
}

const findOpen = (input: PanelInput): Slot | undefined => {
  const { appId } = buildView(input)
  return input.slots.find((one) => one.appId === appId)
}

/** The facts about the open app; without one, the place and the versions. The service serves the SDK. */
export function listReport(input: PanelInput, { host, browser }: OwnVersions): SupportFact[] {
  const found = findOpen(input)
  const { facts } = WORDS
  const sdk = found?.sdkVersion ? `SDK ${found.sdkVersion}` : ''
  const named = [host, sdk, browser].filter((version) => version !== '')
  const versions = { name: facts.versions, value: named.join(', ') }
  if (!found) return [...listPlace(input.state), versions]
  const slot = { ...found, traceId: findTrace(found) }
  return [
    ...listFacts({ app: { id: slot.appId, name: slot.name }, slot }, input),
    ...(slot.launchId === null ? [] : [{ name: facts.launch, value: slot.launchId }]),
    versions,
  ]
}

/** Returns the trace id of the refusal that the host saw, else of the last step for which the service names one. */
const findTrace = ({ traceId, steps }: Slot): string =>
  traceId || (steps.findLast((step) => step.traceId)?.traceId ?? '')

/** Returns the practice of the tab, to which the report goes; null without one. */
export function findPractice({ state }: PanelInput): string | null {
  const view = state?.view
  return view && 'practice' in view ? view.practice.id : null
}

/** The same for the administrators of the practice, whose console names the launch. */
export function buildProblem(
  input: PanelInput,
  { host, browser }: OwnVersions,
  line: string,
): Problem {
  const found = findOpen(input)
  const message = cutLine(line)
  const traceId = found ? findTrace(found) : ''
  return {
    ...(message === '' ? {} : { message }),
    ...(found ? { appId: found.appId } : {}),
    ...(found?.launchId ? { launchId: found.launchId } : {}),
    ...(TRACE_ID.test(traceId) ? { traceId } : {}),
    versions: {
      host,
      ...(found?.sdkVersion ? { sdk: found.sdkVersion } : {}),
      ...(browser === '' ? {} : { browser }),
    },
  }
}

/** The form in which the service takes one; an app may name any text. */
const TRACE_ID = /^[0-9a-f]{16,32}$/

const cutLine = (line: string) => line.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH)

/** The report as text, the line of the user first. */
export function formatReport(facts: readonly SupportFact[], line: string): string {
  const own = cutLine(line)
  return [
    ...(own === '' ? [] : [own]),
    ...facts.map(({ name, value }) => `${name}: ${value}`),
  ].join('\n')
}
