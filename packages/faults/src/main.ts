#!/usr/bin/env node
// The command of @chartside/faults, in a checkout `npm run doctor`. Owns arguments, output and exit code: 0 from
// the wanted grade, 1 below it, 2 when the run could not be made or not handed in. Contract §15.
import { writeFile } from 'node:fs/promises'
import { isAtLeast } from '@chartside/protocol/fault-grade'
import { compareRuns, type Run } from '@chartside/protocol/fault-run'
import { CommanderError } from 'commander'
import { folderOf } from './app-source.ts'
import { handInRun, type Intake, pageOfRun, parseIntake, requireIntake } from './hand-in.ts'
import { type Options, parseOptions } from './options.ts'
import { formatComparison, formatFault, formatJunit, formatRun } from './report.ts'
import { runFaults } from './run.ts'
import { RunFolder } from './run-folder.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const options: Options = parseOptions(process.argv.slice(2))
  const { app, atLeast, json, junit, only } = options
  const intake = parseIntake(options, process.env)
  if (intake) await requireIntake(intake)
  const run = await runFaults({
    ...{ app, only, env: process.env },
    ...(json ? {} : { onFault: (fault) => print(formatFault(fault)) }),
  })
  if (junit) await writeFile(junit, formatJunit(run))
  const folder = new RunFolder(folderOf(app))
  const before = await folder.findBefore(run)
  await folder.save(run)
  if (json) print(JSON.stringify(run, null, 2))
  else {
    print(formatRun(run))
    if (before) print(formatComparison(compareRuns(before, run)))
  }
  if (intake && !(await isHandedIn(intake, run))) return 2
  return isAtLeast(run.grade.level, atLeast) ? 0 : 1
}

/** Hands the run in and says so on standard error, so that --json stays JSON. */
async function isHandedIn(intake: Intake, run: Run): Promise<boolean> {
  try {
    const handedIn = await handInRun(intake, run)
    process.stderr.write(`Handed in: ${pageOfRun(intake, handedIn)}\n`)
    return true
  } catch (error) {
    process.stderr.write(`The run is made, but not handed in. ${(error as Error).message}\n`)
    return false
  }
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2
      return
    }
    process.stderr.write(
      `The run could not be made. ${error instanceof Error ? error.message : error}\n`,
    )
    process.exitCode = 2
  },
)
