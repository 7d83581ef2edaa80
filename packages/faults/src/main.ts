#!/usr/bin/env node
// The command of @chartside/faults, in a checkout `npm run doctor`. Owns arguments, output and exit code: 0 from
// the wanted grade, 1 below it, 2 when the run could not be made. Contract §15.
import { writeFile } from 'node:fs/promises'
import { isAtLeast } from '@chartside/protocol/fault-grade'
import { compareRuns } from '@chartside/protocol/fault-run'
import { CommanderError } from 'commander'
import { folderOf } from './app-source.ts'
import { type Options, parseOptions } from './options.ts'
import { formatComparison, formatFault, formatJunit, formatRun } from './report.ts'
import { runFaults } from './run.ts'
import { RunFolder } from './run-folder.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const { app, atLeast, json, junit, only }: Options = parseOptions(process.argv.slice(2))
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
  return isAtLeast(run.grade.level, atLeast) ? 0 : 1
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
