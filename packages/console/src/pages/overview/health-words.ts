// The one sentence of the overview: is it well, since when not, because of what and where. Pure; times are shown by the
// function that is given, in the time zone of the reader.
import type { HealthIncident, HealthOverview } from '@chartside/protocol/payloads'
import { formatCount } from '@chartside/ui/times'
import { percent } from '../../parts/percent.ts'

export interface HealthSentence {
  readonly tone: 'good' | 'bad' | 'warn' | 'quiet'
  readonly title: string
  readonly text: string
}

/** A share lower than the usual one by more than this is said. */
const DROP = 0.02

const launchesOf = (count: number) => (count === 1 ? '1 launch' : `${formatCount(count)} launches`)

/** Describes launches and the parts of the service that the platform must look at: with them it is not well. */
export function describeHealth(
  overview: Pick<HealthOverview, 'figures' | 'incidents' | 'apps' | 'service'>,
  formatTime: (at: number) => string,
): HealthSentence {
  const said = describeLaunches(overview, formatTime)
  const bad = overview.service
    .filter(({ state }) => state === 'bad')
    .map(({ name }) => SERVICE_NAMES[name].toLowerCase())
  if (bad.length === 0) return said
  const parts = bad.length === 1 ? bad[0] : `${bad.slice(0, -1).join(', ')} and ${bad.at(-1)}`
  if (said.tone === 'bad') return { ...said, text: `${said.text} Look at ${parts} too.` }
  const text = said.tone === 'good' ? said.text : `${said.title}. ${said.text}`.trim()
  return { tone: 'warn', title: `Look at ${parts}`, text }
}

function describeLaunches(
  { figures, incidents, apps }: Pick<HealthOverview, 'figures' | 'incidents' | 'apps'>,
  formatTime: (at: number) => string,
): HealthSentence {
  const { launches, readyShare } = figures
  const now = incidents.filter(({ isNow }) => isNow)
  const [first] = now
  if (first) {
    const worst = apps.find(({ app }) => app.id === first.app.id)?.worstPractice
    const total = figures.practices.value ?? 0
    return describeNow(first, now, { total, worst: worst?.name }, formatTime)
  }
  if (!launches.value) {
    const usual = launches.usual ? `Usual are ${launchesOf(launches.usual)} by now.` : ''
    return { tone: usual ? 'warn' : 'quiet', title: 'No app was opened in this time', text: usual }
  }
  const share = readyShare.value === null ? '' : `${percent(readyShare.value)} of `
  const counted = `${share}${launchesOf(launches.value)} became ready.`
  const [over] = incidents
  if (over) {
    const others = incidents.length - 1
    const more = others === 0 ? '' : others === 1 ? ' and one more app' : ` and ${others} more apps`
    const [from, to] = [over.since, over.until].map((at) => formatTime(Date.parse(at)))
    return {
      tone: 'good',
      title: 'It is well now',
      text: `${over.app.name}${more} did not open from ${from} to ${to}. ${over.cause ?? ''} ${counted}`.replace(
        / +/g,
        ' ',
      ),
    }
  }
  const isLower =
    readyShare.value !== null &&
    readyShare.usual !== null &&
    readyShare.value < readyShare.usual - DROP
  return isLower
    ? { tone: 'warn', title: 'Fewer apps become ready than usual', text: counted }
    : { tone: 'good', title: 'It is well', text: counted }
}

function describeNow(
  { app, launches, failed, practices, since, cause }: HealthIncident,
  now: readonly HealthIncident[],
  { total, worst }: { readonly total: number; readonly worst: string | undefined },
  formatTime: (at: number) => string,
): HealthSentence {
  const others = now.length - 1
  const names =
    others === 0 ? app.name : `${app.name} and ${others} more ${others === 1 ? 'app' : 'apps'}`
  const isMost = failed > launches / 2
  const verb = `${isMost ? '' : 'sometimes '}${others === 0 ? 'does' : 'do'} not open`
  const only = practices === 1 && worst !== undefined ? `: ${worst}` : ''
  const where = total > 1 ? ` in ${practices} of ${total} practices${only}` : ''
  return {
    tone: 'bad',
    title: `${names} ${verb}${where}`,
    text: `Since ${formatTime(Date.parse(since))}. ${formatCount(failed)} of ${launchesOf(launches)} of ${app.name} failed. ${cause ?? ''}`.trim(),
  }
}

type Change = HealthOverview['changes'][number]

/** Says in a few words what was changed. */
export function describeChange({ kind, what: { name }, detail }: Change): string {
  switch (kind) {
    case 'version_published':
      return `Version ${detail} of ${name} was published`
    case 'secret_retired':
      return `The secret ${detail === '' ? '' : `“${detail}” `}of ${name} was retired`
    case 'app_disabled':
      return `${name} was switched off`
    case 'app_stopped_here':
      return `${name} was stopped in a practice: ${detail}`
    case 'app_stopped_on_ehr':
      return `${name} was switched off on the EHR ${detail}`
  }
}

/** Says who runs the version that was published; empty for another change. */
export function describeTaken({ taken }: Pick<Change, 'taken'>): string {
  if (!taken || taken.of === 0) return ''
  const { by, of, older } = taken
  if (of === 1) {
    if (by === 1) return 'The one practice that chose the collection runs it.'
    const version = older[0]?.version
    return version === undefined
      ? 'The one practice that chose the collection runs an older version.'
      : version === 0
        ? 'One practice chose the collection, and runs no version yet.'
        : `One practice runs the collection, in version ${version}.`
  }
  return by === of
    ? `All ${formatCount(of)} practices run it.`
    : `${formatCount(by)} of ${formatCount(of)} practices run it.`
}

export const SERVICE_NAMES = {
  database: 'Database',
  backup: 'Backup',
  sweep: 'Removal of old rows',
  jobs: 'Background jobs',
  keys: 'Signing keys',
  mail: 'Mail',
} as const
