// Which chart an address shows: the patterns that an EHR definition of a collection may have, what is
// wrong with one, and the group that they find in an address. Server, console, extension and sandbox
// decide alike. Pure; it keeps no address. Contract §11; grammar: urlpattern.spec.whatwg.org.

/** The group of a pattern that names the chart. */
export const CHART_GROUP = 'chart'
export const CHART_MODES = ['guard', 'observe'] as const
export const CHART_CHANGE_POLICIES = ['relaunch', 'cover', 'event', 'keep'] as const

export type ChartMode = (typeof CHART_MODES)[number]
/** The action of the host on an app when another chart is opened. */
export type ChartChangePolicy = (typeof CHART_CHANGE_POLICIES)[number]

/** Each wildcard multiplies the time of a match in the worst case. */
const MAX_WILDCARDS = 3
/** A longer address shows no chart: the time of a match has a bound. */
const MAX_ADDRESS_LENGTH = 4096

const FIXED = ['protocol', 'username', 'password', 'hostname', 'port'] as const
const READ = ['pathname', 'search', 'hash'] as const

/**
 * Says what is wrong with a pattern of `charts`; undefined when it is accepted. Pure. Never throws.
 * Contract §11.
 * @example findChartPatternProblem('https://ehr.example/patients/:chart{/*}?') // undefined
 */
export function findChartPatternProblem(pattern: string): string | undefined {
  const parsed = parsePattern(pattern)
  if (!parsed) {
    return 'Must be a whole address with one :chart, such as https://ehr.example/patients/:chart{/*}?.'
  }
  if (parsed.hasRegExpGroups) {
    return 'A regular expression in parentheses is not accepted. Use :chart, * and {…}?.'
  }
  if (!['http', 'https'].includes(parsed.protocol)) {
    return 'The address must begin with https:// or http://.'
  }
  if (parsed.hostname === '*' || parsed.hostname === '') {
    return 'Name the host of the EHR, such as https://ehr.example/patients/:chart.'
  }
  if (FIXED.some((part) => listGroups(parsed[part]).length > 0)) {
    return 'Put :chart into the path, the query or the fragment; the host has no group.'
  }
  const groups = READ.flatMap((part) => listGroups(parsed[part]))
  const other = groups.find((name) => name !== CHART_GROUP)
  if (other !== undefined)
    return `:${other} is not known. The one group is :chart; use * elsewhere.`
  if (groups.length === 0) return 'Mark the part that names the chart with :chart.'
  if (groups.length > 1) return ':chart may stand in a pattern once.'
  if (READ.some((part) => countWildcards(parsed[part]) > MAX_WILDCARDS)) {
    return `Path, query and fragment may have ${MAX_WILDCARDS} wildcards (*) each.`
  }
  return undefined
}

/**
 * The part of an address that names its chart, by the first pattern that matches; null when no chart is
 * open. It never leaves the browser. Patterns that are not accepted match nothing. Pure. Contract §11.
 * @example findChart(['https://ehr.example/patients/:chart{/*}?'], 'https://ehr.example/patients/7') // '7'
 */
export function findChart(patterns: readonly string[], address: string): string | null {
  if (address.length > MAX_ADDRESS_LENGTH) return null
  for (const pattern of patterns) {
    if (findChartPatternProblem(pattern) !== undefined) continue
    const found = parsePattern(pattern)?.exec(address)
    const groups = found ? READ.map((part) => found[part].groups[CHART_GROUP]) : []
    const chart = groups.find((group) => group !== undefined && group !== '')
    if (chart !== undefined) return chart
  }
  return null
}

function parsePattern(pattern: string): URLPattern | null {
  try {
    return new URLPattern(pattern)
  } catch {
    return null
  }
}

/** The names of the groups of one part; a backslash takes the meaning of the next character. */
const listGroups = (part: string): string[] =>
  [...unescaped(part).matchAll(/:(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/gu)].map(
    ({ groups }) => groups?.name ?? '',
  )

/** Counts also a wildcard after a group, which repeats it. A part that is a * alone is one that was left out. */
const countWildcards = (part: string): number =>
  part === '*' ? 0 : unescaped(part).split(/[*+]/u).length - 1

const unescaped = (part: string): string => part.replace(/\\./gsu, '')
