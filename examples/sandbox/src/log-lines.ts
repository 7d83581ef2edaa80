// Turns the output of the sandbox's processes into readable lines: time, source, event, and below a
// failure its cause and fix. Service lines are pino's JSON; unknown fields are ignored. Pure; the
// caller chooses the colours.
import type { Launch, LaunchStep } from '@chartside/protocol/launch'
import { describeLaterEvent, isLate } from '@chartside/protocol/launch-steps'
import { toTerminalLine } from '@chartside/server/terminal-text'
import { formatDuration, formatTime } from '@chartside/ui/times'
import { describeState, describeTimes, type ShownState } from './launch-words.ts'

export interface Paint {
  quiet(text: string): string
  bad(text: string): string
  warn(text: string): string
  strong(text: string): string
}

const same = (text: string): string => text

export const PLAIN: Paint = { quiet: same, bad: same, warn: same, strong: same }

const ansi = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`

export const COLOURED: Paint = { quiet: ansi(2), bad: ansi(31), warn: ansi(33), strong: ansi(1) }

/** Chooses the paint. By https://no-color.org any value but the empty one switches color off. */
export function choosePaint(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOURED : PLAIN
}

export type Level = 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly source: string
  readonly level: Level
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
  /** The details are shown below the line, such as the cause and the fix. */
  readonly details: readonly string[]
  /** The request of the entry; two entries of one failure have the same. */
  readonly traceId?: string
}

/** The longest name of a sample app. */
const SOURCE_WIDTH = 13
/** The width of "12:00:00 PM EST". */
const TIME_WIDTH = 15

export function formatEntry(entry: LogEntry, paint: Paint): string {
  const mark = entry.level === 'error' ? paint.bad : entry.level === 'warn' ? paint.warn : same
  const time = formatTime(entry.at).padEnd(TIME_WIDTH)
  const head = `${paint.quiet(time)}  ${paint.strong(toTerminalLine(entry.source).padEnd(SOURCE_WIDTH))}  `
  const indent = ' '.repeat(time.length + SOURCE_WIDTH + 4)
  const details = entry.details.map((one) => `\n${indent}${paint.quiet(toTerminalLine(one))}`)
  return `${head}${mark(toTerminalLine(entry.text))}${details.join('')}`
}

/** A line that an app printed; null for the line that only says where the app listens. */
export function parseAppLine(name: string, line: string, now: number): LogEntry | null {
  if (line.startsWith('listening ')) return null
  const level = /^(failed|exchange|refused)/.test(line) ? 'warn' : 'info'
  return { source: name, level, at: now, text: line, details: [] }
}

/** One line of the service's log; `launch` when it is about one. */
export interface ServiceLine {
  readonly entry: LogEntry
  readonly launch: string | null
  readonly isDebug: boolean
}

export function parseServiceLine(line: string, now: number): ServiceLine {
  const fields = parseJson(line)
  if (!fields) {
    const entry: LogEntry = { source: 'service', level: 'info', at: now, text: line, details: [] }
    return { entry, launch: null, isDebug: false }
  }
  const { level, time, msg, launch, traceId } = fields
  const at = typeof time === 'number' ? time : Date.parse(String(time)) || now
  const text = [typeof msg === 'string' ? msg : '', ...SHOWN.flatMap((name) => shown(fields, name))]
  const isProblem = parseLevel(level) !== 'info'
  const details = DETAILS.flatMap((name) => {
    // A line without a problem needs no trace.
    const value = isProblem || name !== 'traceId' ? fields[name] : undefined
    return typeof value === 'string' ? [`${name === 'traceId' ? 'trace' : name}: ${value}`] : []
  })
  return {
    entry: {
      source: 'service',
      level: parseLevel(level),
      at,
      text: text.filter(Boolean).join('  '),
      details,
      ...(typeof traceId === 'string' ? { traceId } : {}),
    },
    launch: typeof launch === 'string' ? launch : null,
    isDebug: level === 'debug' || (typeof level === 'number' && level < 30),
  }
}

/** Fields shown on the line itself, and those shown below it. */
const SHOWN = ['app', 'account', 'ehrType', 'code', 'reason', 'status', 'elapsedMs'] as const
const DETAILS = ['description', 'cause', 'fix', 'traceId'] as const

function shown(fields: Readonly<Record<string, unknown>>, name: (typeof SHOWN)[number]): string[] {
  const value = fields[name]
  if (typeof value !== 'string' && typeof value !== 'number') return []
  return [name === 'elapsedMs' ? formatDuration(Number(value)) : String(value)]
}

function parseLevel(level: unknown): Level {
  if (typeof level === 'number') return level >= 50 ? 'error' : level >= 40 ? 'warn' : 'info'
  return level === 'error' || level === 'fatal' ? 'error' : level === 'warn' ? 'warn' : 'info'
}

function parseJson(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}

/** One step of a launch, as in the timeline, and whose time it was. */
export function formatStep(view: Launch, step: LaunchStep): LogEntry {
  const at = Date.parse(step.at)
  const details = (['cause', 'fix', 'traceId'] as const).flatMap((name) => {
    const text = step[name]
    return text ? [`${name === 'traceId' ? 'trace' : name}: ${text}`] : []
  })
  if (step.outcome === 'failed') {
    const reason = step.reason ? ` (${step.reason})` : ''
    const text = `${view.app.name}: ${step.step} failed, ${step.code ?? 'without a code'}${reason}`
    const trace = step.traceId ? { traceId: step.traceId } : {}
    return { source: 'launch', level: 'error', at, text, details, ...trace }
  }
  const times = describeTimes(view.spans, step.step)
  const label = describeLaterEvent(step) ?? STEP_LABELS[step.step] ?? step.step
  const text = `${view.app.name}: ${label}${times && `  ${times}`}`
  return { source: 'launch', level: 'info', at, text, details: [] }
}

const STEP_LABELS: Readonly<Record<string, string>> = {
  created: 'launched',
  opened: 'Launch URL opened',
  authorize: 'authorized',
  code: 'code issued',
  exchange: 'code exchanged',
  handshake: 'SDK handshake',
  context: 'session context, ready',
  ended: 'ended',
}

/** The state of a launch, in the words of tab, panel and timeline. */
export function formatState(view: Launch, state: ShownState): LogEntry {
  const last = Date.parse(view.steps.at(-1)?.at ?? view.createdAt)
  const late = isLate({ ...view, outcome: 'ready' }) ? ', late' : ''
  const took =
    state.kind === 'ready' ? ` in ${formatDuration(last - Date.parse(view.createdAt))}${late}` : ''
  const level = state.kind === 'failed' ? 'error' : 'info'
  const text = `${describeState(view.app.name, state)}${took}`
  return { source: 'launch', level, at: last, text, details: [] }
}
