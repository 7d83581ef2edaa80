// Runs every test with Node's own runner: unit and story tests in parallel, the stories again on
// PostgreSQL, then what measures the process, then the browser tests one at a time, because a
// browser and a stopwatch need the machine for themselves. Installs Chromium when it is missing. Says what it is doing.
// Usage: npm test [-- path-fragment …] runs the files whose path has one of the fragments.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchServer } from '../packages/server/test/postgres-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = process.argv.slice(2)

function list(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/templates/**'] })
    .filter((path) => !path.includes('node_modules/'))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
    .sort()
}

function run(
  title: string,
  files: string[],
  concurrency: number,
  env: Record<string, string> = {},
): Promise<number> {
  if (files.length === 0) return Promise.resolve(0)
  process.stdout.write(`\n── ${title}: ${files.length} file(s)\n`)
  const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=spec']
  const child = spawn(
    process.execPath,
    [...flags, `--test-concurrency=${concurrency}`, '--test-timeout=300000', ...files],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } },
  )
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

const inProcess = list('{packages,examples,test,bench,scripts}/**/*.test.ts')
const measured = inProcess.filter((path) => path.startsWith('test/process/'))
const unmeasured = inProcess.filter((path) => !measured.includes(path))
const browser = list('test/browser/**/*.browser.ts')

if (inProcess.length + browser.length === 0) {
  process.stderr.write(`No test file matches ${wanted.join(', ')}.\n`)
  process.exit(1)
}

if (browser.length > 0) {
  const { findChromium } = await import('./chromium.ts')
  process.stdout.write(`Browser: ${await findChromium()}\n`)
}
// One server for all files; each test makes a database of its own in it.
const needsPostgres = unmeasured.some((path) => path.startsWith('packages/server/'))
const server = needsPostgres && !process.env.TEST_POSTGRES_URL ? await launchServer() : undefined
const postgres: Record<string, string> = server ? { TEST_POSTGRES_URL: server.url } : {}
const stories = unmeasured.filter((path) => path.startsWith('packages/server/test/'))
const codes: number[] = []
try {
  codes.push(await run('rules and stories, on SQLite', unmeasured, 2, postgres))
  const onPostgres = { ...postgres, CHARTSIDE_TEST_ENGINE: 'postgres' }
  codes.push(await run('the same stories, on PostgreSQL', stories, 2, onPostgres))
  codes.push(await run('the process: crash, race, secrets at rest, footprint', measured, 1))
  codes.push(await run('in a real browser', browser, 1))
} finally {
  await server?.stop()
}
const failed = codes.some((code) => code !== 0)
process.stdout.write(failed ? '\nSome tests failed.\n' : '\nAll tests passed.\n')
process.exit(failed ? 1 : 0)
