// Tests that an ended run leaves no process behind, not even one that ignores the signal, and that an error
// for which no test waits fails one. Only processes of their own show it.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileResult } from './file-results.ts'
import type { TestFile } from './test-files.ts'
import { endAll, runInProcess } from './test-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartside-test-process-'))
after(() => rmSync(folder, { recursive: true }))

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const inProcess = (path: string): TestFile => ({
  path,
  tier: 2,
  kind: 'process',
  engine: 'sqlite',
  isIsolated: true,
})

test('an error from a timer or a promise fails the test in which it comes', async () => {
  writeFileSync(
    join(folder, 'stray.test.mjs'),
    `import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
test('timer', async () => {
  setTimeout(() => { throw new Error('from a timer') })
  await sleep(50)
})
test('between', () => {})
test('promise', async () => {
  void Promise.reject(new Error('from a promise'))
  await sleep(50)
})
`,
  )
  const results: FileResult[] = []
  const onResult = (result: FileResult) => results.push(result)
  await runInProcess([inProcess('stray.test.mjs')], { root: folder, env: {}, onResult })
  assert.deepEqual(
    results.map(({ failures }) =>
      failures.map(({ title, error }) => [title, error.split('\n')[0]]),
    ),
    [
      [
        ['timer', 'Error: from a timer'],
        ['promise', 'Error: from a promise'],
      ],
    ],
  )
})

test('kills what a test has started when the run is ended', async () => {
  const pidFile = join(folder, 'pid')
  const ignores = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  writeFileSync(
    join(folder, 'starts.test.mjs'),
    `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('waits', async () => {
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(ignores)}])
  setTimeout(() => writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)), 200)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
`,
  )
  const running = runInProcess([inProcess('starts.test.mjs')], {
    root: folder,
    env: {},
    onResult() {},
  })
  while (!existsSync(pidFile)) await sleep(20)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  assert.equal(isRunning(pid), true)
  await endAll('SIGTERM', 300)
  await running
  // The system takes a moment to forget a process that was killed.
  for (let i = 0; i < 100 && isRunning(pid); i++) await sleep(20)
  assert.equal(isRunning(pid), false)
})
