// The fault run as a command: attacks, then faults, the tables, the exit code. Every service that it
// starts is a child process on loopback, which ends with it.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { ATTACKS } from './attacks.ts'
import { FAULTS, type FaultResult, withService } from './faults.ts'
import { countInternalErrors } from './load.ts'
import { boundOf, isUnnoticed, type Measured, measureUnder } from './measure.ts'
import { type FaultOptions, HELP, parseOptions } from './options.ts'
import { type AttackResult, type FaultReport, formatReport, RESULTS_FILE } from './report.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

function readOptions(): FaultOptions | 'help' {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\nnpm run tool -- faults --help lists the options.\n`)
    process.exit(2)
  }
}

const describe = (item: string, name: string, before: string, measured: Measured): AttackResult => {
  const { quiet, during, after, attacker, megabytes } = measured
  return {
    ...{ item, name, before, quietP99: quiet.p99, duringP50: during.p50, duringP99: during.p99 },
    ...{ afterP99: after.p99, bound: boundOf(Math.max(quiet.p99, after.p99)), attacker },
    megabytesHighest: megabytes[1],
    internalErrors: [quiet, during, after].reduce((sum, one) => sum + countInternalErrors(one), 0),
    isMet: isUnnoticed(measured),
  }
}

async function main(options: FaultOptions): Promise<number> {
  const isChosen = (name: string) => options.only === undefined || name.includes(options.only)
  const attacks: AttackResult[] = []
  for (const { item, name, before, prepare } of ATTACKS) {
    if (options.only !== item && !isChosen(name)) continue
    say(`attack ${item}: ${name}`)
    const measured = await withService({}, async (service, practice) =>
      measureUnder(service, practice, await prepare(practice), options),
    )
    attacks.push(describe(item, name, before, measured))
  }
  const faults: FaultResult[] = []
  for (const { name, inject } of FAULTS) {
    if (!isChosen(name)) continue
    say(`fault: ${name}`)
    faults.push(await inject(options))
  }
  const report: FaultReport = {
    commit: execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    ...{ attackSeconds: options.attackSeconds, perSecond: options.perSecond, attacks, faults },
  }
  say(`\n${formatReport(report)}`)
  const text = `${JSON.stringify(report, null, 2)}\n`
  if (options.jsonFile) writeFileSync(options.jsonFile, text)
  if (options.isSaved) {
    writeFileSync(RESULTS_FILE, text)
    say('\nKept in test/faults/results.json.')
  }
  return [...attacks, ...faults].every(({ isMet }) => isMet) ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const options = readOptions()
if (options === 'help') {
  process.stdout.write(HELP)
  process.exit(0)
}
process.exit(await main(options))
