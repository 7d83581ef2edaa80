// What runs before a release, or at night: planted faults, fuzzing, chaos, Citus, the fault run, tests with a
// stopwatch, Next.js, the suites' own tests, pictures. One after another, because each needs the machine.
// Usage: npm run test:release -- --help
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { defineScript } from './command-line.ts'

/** Each by its name, with the program and the arguments of a whole run. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'test files': ['scripts/test.ts', '--release'],
  'planted faults': ['test/mutants/main.ts'],
  'drawn faults': ['test/mutants/main.ts', '--draw', '120'],
  fuzzing: ['test/fuzz/main.ts'],
  'attacks and faults': ['test/faults/main.ts'],
  chaos: ['test/chaos/main.ts'],
  Citus: ['test/citus/main.ts'],
  pictures: ['test/browser/pictures/main.ts'],
  'a short day': ['bench/src/main.ts', '--scenario', 'day', '--hours', '0.05'],
}

/** The steps that run only when they are named, because they take hours. */
const NAMED_STEPS: typeof STEPS = {
  'a day': ['bench/src/main.ts', '--scenario', 'day'],
  'a year': ['bench/src/main.ts', '--scenario', 'year'],
}

const collect = (value: string, before: readonly string[]) => [...before, value]
const { only } = defineScript(
  'test:release',
  `Runs what takes too long for every change; two to three hours on two cores.
Steps: ${Object.keys(STEPS).join(', ')}.
Only when named, for hours: ${Object.keys(NAMED_STEPS).join(', ')}.`,
)
  .option('--only <step>', 'a step whose name contains this; may be repeated', collect, [])
  .parse()
  .opts<{ only: readonly string[] }>()

const every = { ...STEPS, ...NAMED_STEPS }
const chosen = Object.entries(only.length === 0 ? STEPS : every).filter(
  ([name]) => only.length === 0 || only.some((part) => name.includes(part)),
)
if (chosen.length === 0) {
  process.stderr.write(`No step is called ${only.join(', ')}: ${Object.keys(every).join(', ')}.\n`)
  process.exit(2)
}
const root = join(import.meta.dirname, '..')
const lines = chosen.map(([name, [program = '', ...args]]) => {
  process.stdout.write(`\n── ${name}\n`)
  const beganAt = performance.now()
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, join(root, program), ...args],
    { cwd: root, stdio: 'inherit' },
  )
  const minutes = ((performance.now() - beganAt) / 60_000).toFixed(1)
  return {
    isGood: status === 0,
    text: `${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${minutes} min)`,
  }
})
process.stdout.write(`\n${lines.map(({ text }) => text).join('\n')}\n`)
process.exit(lines.every(({ isGood }) => isGood) ? 0 : 1)
