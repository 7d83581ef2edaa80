// What a run says: lines for a terminal, and JUnit for a pipeline. Pure; JSON is the run itself, as the engine
// gives it.
import type { Bar, JudgedCheck, PlayedFault } from '@chartside/protocol/fault-grade'
import type { Comparison, Run } from '@chartside/protocol/fault-run'

const OUTCOMES = {
  handled: 'ok      ',
  partly: 'partly  ',
  not_handled: 'FAILED  ',
  not_observable: 'unseen  ',
} as const
const PART_NAMES = {
  safety: 'Safety',
  work: 'Work kept',
  recovers: 'Recovers',
  words: 'Plain words',
  trace: 'Traceable',
} as const

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const isFailed = ({ state }: JudgedCheck): boolean => state === 'failed'

/** One fault, with what failed and how to mend it. */
export function formatFault({ name, title, outcome, checks, tookMs }: PlayedFault): string {
  const lines = checks
    .filter(isFailed)
    .flatMap(({ part, title, evidence, cause = '', fix = '' }) => [
      `          ${PART_NAMES[part]}: ${title}. ${evidence}`,
      `            ${cause}`,
      `            ${fix}`,
    ])
  return [`${OUTCOMES[outcome]}${name.padEnd(22)}${title} (${seconds(tookMs)})`, ...lines].join(
    '\n',
  )
}

const formatBar = ({ part, passed, of, percent }: Bar): string =>
  `  ${PART_NAMES[part].padEnd(12)} ${percent === null ? 'not observable' : `${String(percent).padStart(3)}  ${passed} of ${of} checks`}`

export function formatRun({ app, grade, faults, tookMs }: Run): string {
  const { level, points, bars, cap } = grade
  const count = (outcome: PlayedFault['outcome']) =>
    faults.filter((fault) => fault.outcome === outcome).length
  return [
    '',
    `${app}: grade ${level}, ${points} of 100`,
    ...(cap ? [`  ${cap.at} at best, because ${cap.check} failed in ${cap.fault}.`] : []),
    ...bars.map(formatBar),
    `${faults.length} faults in ${seconds(tookMs)}: ${count('handled')} handled, ${count('partly')} partly, ${count('not_handled')} not handled, ${count('not_observable')} not observable`,
  ].join('\n')
}

/** The run before, and what is no longer as it was. */
export function formatComparison({ grade, startedAt, commit, better, worse }: Comparison): string {
  const at = `${startedAt.slice(0, 16).replace('T', ' ')} UTC${commit ? `, ${commit}` : ''}`
  return [
    `Before (${at}): grade ${grade.level}, ${grade.points} of 100`,
    ...(better.length > 0 ? [`  better: ${better.join(', ')}`] : []),
    ...(worse.length > 0 ? [`  worse:  ${worse.join(', ')}`] : []),
  ].join('\n')
}

const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // Characters that XML 1.0 has no form for.
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '')

/** A test case for each fault. */
export function formatJunit({ app, faults, tookMs }: Run): string {
  const cases = faults.map(({ name, step, title, outcome, checks, tookMs }) => {
    const failed = checks.filter(isFailed)
    const head = `    <testcase classname="${step}" name="${escapeXml(`${name}: ${title}`)}" time="${(tookMs / 1000).toFixed(3)}"`
    if (outcome === 'not_observable') return `${head}><skipped/></testcase>`
    if (failed.length === 0) return `${head}/>`
    const text = failed.map(({ title, evidence, fix = '' }) => `${title}. ${evidence} ${fix}`)
    const [first] = failed
    return `${head}><failure message="${escapeXml(first?.title ?? '')}">${escapeXml(text.join('\n'))}</failure></testcase>`
  })
  const failures = faults.filter(({ checks }) => checks.some(isFailed)).length
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${escapeXml(`Faults against ${app}`)}" tests="${faults.length}" failures="${failures}" time="${(tookMs / 1000).toFixed(3)}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}
