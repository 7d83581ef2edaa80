// Runs the command of the suite in this process, without a terminal, and gives back what it printed
// and the report that it wrote. Owns no expectation.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../src/command.ts'
import type { Report } from '../src/report/report.ts'
import { TEST_ADMIN } from './service.ts'

export interface Ran {
  readonly code: number
  readonly printed: string
  readonly errors: string
  readonly html: string
  readonly json: string
  readonly report: Report
  /** Failed modules, in order. */
  readonly failed: readonly string[]
}

/** `args` of a run that ends with a report. */
export async function runSuite(...args: string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-conformance-report-'))
  const [json, html] = [join(folder, 'report.json'), join(folder, 'report.html')]
  try {
    const printed = await runPlain(...args, '--json', json, '--html', html)
    if (printed.code === 2) throw new Error(printed.errors)
    const text = readFileSync(json, 'utf8')
    const report: Report = JSON.parse(text)
    const failed = report.modules.filter(({ verdict }) => verdict === 'failed')
    return {
      ...printed,
      json: text,
      html: readFileSync(html, 'utf8'),
      report,
      failed: failed.map(({ id }) => id),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A run that may end without a report. */
export async function runPlain(
  ...args: string[]
): Promise<Pick<Ran, 'code' | 'printed' | 'errors'>> {
  const out = { printed: '', errors: '' }
  const code = await runCommand(args, {
    environment: {},
    sandboxPassword: TEST_ADMIN.password,
    hasColor: false,
    isInteractive: false,
    print: (text) => {
      out.printed += text
    },
    printError: (text) => {
      out.errors += text
    },
    signal: new AbortController().signal,
  })
  return { code, ...out }
}

/** What a failure message of a test needs: the failed modules with their causes. */
export const explain = ({ report }: Ran): string =>
  report.modules
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ id, expected, cause }) => `${id}: ${expected}; found ${cause}`)
    .join('\n')
