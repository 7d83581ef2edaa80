// The log of the process as a person in a terminal reads it: local time, what happened, its fields.
// In a pipe the log stays JSON, one object a line. Pure: a line in, a text out; main.ts chooses.
import { toTerminalLine, toTerminalText } from './kernel/terminal-text.ts'

const LEVELS: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' }
const RED = '\u001b[31m'
const YELLOW = '\u001b[33m'
const QUIET = '\u001b[2m'
const PLAIN = '\u001b[0m'

const TIME = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

/** A line of pino's; a line that is none stays as it is. */
export function formatForTerminal(line: string, isColoured: boolean): string {
  const fields = parse(line)
  if (!fields) return toTerminalText(line)
  const { level, time, msg, err, ...rest } = fields
  const paint = (colour: string, text: string) => (isColoured ? `${colour}${text}${PLAIN}` : text)
  const at = paint(QUIET, TIME.format(Date.parse(String(time))))
  const rank = typeof level === 'number' ? level : 30
  const text = toTerminalLine(`${LEVELS[rank] ?? ''}${String(msg ?? '')}`)
  const shown = rank >= 50 ? paint(RED, text) : rank >= 40 ? paint(YELLOW, text) : text
  const below = msg === 'configuration' ? listSettings(rest) : ''
  const beside = below ? '' : toTerminalLine(listFields(rest))
  const error = toTerminalText(describeError(err))
  return `${at}  ${shown}${beside && paint(QUIET, `  ${beside}`)}${toTerminalText(below)}${error}\n`
}

const listFields = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

function listSettings(fields: Readonly<Record<string, unknown>>): string {
  const width = Math.max(0, ...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `\n    ${name.padEnd(width)}  ${value === '' ? '(not set)' : value}`)
    .join('')
}

function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message } = error as { stack?: string; message?: string }
  return `\n    ${(stack ?? message ?? '').replaceAll('\n', '\n    ')}`
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
