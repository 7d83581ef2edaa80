// One table of what holds the service: prints it, writes it into docs/security.md, or runs the
// conformance suite against a service of its own first. Measures nothing else itself.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ConformanceResults, FILES, loadResults, ROOT } from './results.ts'
import { buildSection, writeTable } from './security-table.ts'

const HELP = `Prints what was attacked, checked, fuzzed, injected and planted, from the stored results of each run.

Usage: npm run hardening [-- options]

  --write        also write it into docs/security.md
  --conformance  first run the conformance suite against a service of its own, and keep its counts
  --help         this text

The other results are kept by npm run faults -- --save, npm run fuzz -- --save and npm run mutants.
`

const say = (text: string) => process.stdout.write(`${text}\n`)

function readOptions() {
  try {
    const flag = { type: 'boolean', default: false } as const
    return parseArgs({
      options: { write: flag, conformance: flag, help: { ...flag, short: 'h' } },
    }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\nnpm run hardening -- --help lists the options.\n`)
    process.exit(2)
  }
}

async function runConformance(): Promise<void> {
  say('The conformance suite runs against a service of its own.')
  const { explain, runSuite } = await import('../../conformance/test/run.ts')
  const { startService } = await import('../../conformance/test/service.ts')
  const service = await startService()
  try {
    const ran = await runSuite('--base-url', service.origin)
    const { summary, requests } = ran.report
    const date = new Date().toISOString().slice(0, 10)
    const kept: ConformanceResults = { date, ...summary, requests }
    writeFileSync(ROOT + FILES.conformance, `${JSON.stringify(kept, null, 2)}\n`)
    if (ran.failed.length > 0) say(explain(ran))
  } finally {
    await service.stop()
  }
}

const { write, conformance, help } = readOptions()
if (help) say(HELP)
else {
  if (conformance) await runConformance()
  say(buildSection(loadResults()))
  if (write || conformance) {
    writeTable()
    say('\ndocs/security.md is written.')
  }
}
