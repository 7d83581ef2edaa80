// Tests that an ended run leaves no process behind, not even one that ignores the signal. Only processes of
// their own show it.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
  const file: TestFile = {
    path: 'starts.test.mjs',
    tier: 2,
    kind: 'process',
    engine: 'sqlite',
    isIsolated: true,
  }
  const running = runInProcess([file], { root: folder, env: {}, onResult() {} })
  while (!existsSync(pidFile)) await sleep(20)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  assert.equal(isRunning(pid), true)
  await endAll('SIGTERM', 300)
  await running
  // The system takes a moment to forget a process that was killed.
  for (let i = 0; i < 100 && isRunning(pid); i++) await sleep(20)
  assert.equal(isRunning(pid), false)
})
