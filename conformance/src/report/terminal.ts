// The report in a terminal: one line for each module as it ends, what a failure needs below it, and
// the summary. Colours and the line of the running module only where a terminal shows them. Pure.
import { styleText } from 'node:util'
import type { ConformanceModule, Verdict } from '../module.ts'
import type { ModuleResult } from '../runner.ts'
import { printable } from './printable.ts'
import { type Report, summarize } from './report.ts'

const LOOK: Readonly<
  Record<Verdict, { mark: string; color: 'green' | 'red' | 'yellow' | 'gray' }>
> = {
  passed: { mark: 'passed ', color: 'green' },
  failed: { mark: 'FAILED ', color: 'red' },
  warning: { mark: 'warning', color: 'yellow' },
  skipped: { mark: 'skipped', color: 'gray' },
}

const CLEAR_LINE = '\r\x1b[2K'

export interface TerminalOptions {
  readonly hasColor: boolean
  /** Shows the module that runs now, on a line that the next one replaces. */
  readonly isInteractive: boolean
  readonly total: number
}

interface FailedGroup {
  readonly cause: string | undefined
  readonly ids: readonly string[]
}

/** The largest group first; modules of one cause in the order of the run. */
function groupByCause(failed: readonly ModuleResult[]): readonly FailedGroup[] {
  const groups = new Map<string | undefined, string[]>()
  for (const { cause, id } of failed) groups.set(cause, [...(groups.get(cause) ?? []), id])
  return [...groups]
    .map(([cause, ids]) => ({ cause, ids }))
    .sort((a, b) => b.ids.length - a.ids.length)
}

export class TerminalReport {
  readonly #options: TerminalOptions

  constructor(options: TerminalOptions) {
    this.#options = options
  }

  started({ id }: ConformanceModule, number: number): string {
    const { isInteractive, total } = this.#options
    return isInteractive ? `${CLEAR_LINE}${this.#paint('gray', `[${number}/${total}] ${id}`)}` : ''
  }

  ended(result: ModuleResult): string {
    const { mark, color } = LOOK[result.verdict]
    const lines = [`${this.#paint(color, mark)} ${result.id}  ${this.#paint('gray', result.title)}`]
    const detail = (name: string, text: string | undefined) => {
      if (text) lines.push(`        ${name} ${printable(text)}`)
    }
    detail('expected:', result.expected)
    detail(result.verdict === 'failed' ? 'found:   ' : 'because: ', result.cause)
    detail('source:  ', result.verdict === 'failed' ? result.source : undefined)
    detail('look at: ', result.where)
    detail('reason:  ', result.reason)
    return `${this.#options.isInteractive ? CLEAR_LINE : ''}${lines.join('\n')}\n`
  }

  summary(report: Report): string {
    const failed = report.modules.filter(({ verdict }) => verdict === 'failed')
    const list = groupByCause(failed)
      .map((group) => this.#failedGroup(group))
      .join('')
    const seconds = (report.milliseconds / 1000).toFixed(1)
    const facts = `${printable(report.issuer)}: ${report.requests} requests in ${seconds} s`
    const heading = failed.length > 0 ? `\nFailed:\n${list}` : ''
    return `${heading}\n${facts}\n${this.#bold(summarize(report.summary))}\n`
  }

  /** One fault often fails many modules: its cause stands once. */
  #failedGroup({ cause, ids }: FailedGroup): string {
    const list = ids.map((id) => this.#paint('red', id))
    if (list.length === 1 || cause === undefined) return list.map((id) => `  ${id}\n`).join('')
    return `  ${list.length} modules: ${printable(cause)}\n${list.map((id) => `    ${id}\n`).join('')}`
  }

  #paint(color: 'green' | 'red' | 'yellow' | 'gray', text: string): string {
    return this.#options.hasColor ? styleText(color, text, { validateStream: false }) : text
  }

  #bold(text: string): string {
    return this.#options.hasColor ? styleText('bold', text, { validateStream: false }) : text
  }
}
