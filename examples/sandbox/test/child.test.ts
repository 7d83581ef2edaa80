// No process of the sandbox outlives it: a parent that exits at once kills every child, and the
// sample apps exit even after SIGKILL of the parent.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

const LIMIT = { timeout: 20_000 }

const IGNORES_SIGTERM = `
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
console.log('pid ' + process.pid)
`
const PID_FIRST = `console.log('pid ' + process.pid)\n`

/** A process that starts one child by startChild; resolves when the child has printed its pid. */
async function startParent(t: TestContext, childCode: string) {
  const dir = await mkdtemp(join(tmpdir(), 'chartside-child-'))
  const script = join(dir, 'child.mjs')
  await writeFile(script, childCode)
  // A file, never `--eval`: a child inherits the flags of its parent and would run that code again.
  const main = join(dir, 'parent.mjs')
  await writeFile(
    main,
    `import { startChild } from ${JSON.stringify(new URL('../src/child.ts', import.meta.url))}
    const env = { CLIENT_ID: 'cli_1', CLIENT_SECRET: 'cs_1', PORT: '0', PORT_PROVIDER: '0' }
    const script = ${JSON.stringify(script)}
    startChild({ name: 'It', program: { script: [script] }, env, onLine: (line) => console.log(line), onDeath() {} })
    process.on('SIGTERM', () => process.exit(130))`,
  )
  const parent = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] })
  let pid = 0
  t.after(async () => {
    parent.kill('SIGKILL')
    if (pid && isAlive(pid)) process.kill(pid, 'SIGKILL')
    await rm(dir, { recursive: true, force: true })
  })
  for await (const line of createInterface({ input: parent.stdout })) {
    if (line.startsWith('pid ')) pid = Number(line.slice(4))
    if (pid && (line.startsWith('listening ') || childCode === IGNORES_SIGTERM)) break
  }
  return { parent, pid }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function endsWith(parent: ChildProcess, signal: NodeJS.Signals, pid: number): Promise<void> {
  assert.ok(isAlive(pid))
  parent.kill(signal)
  await once(parent, 'exit')
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await wait(50)
  assert.equal(isAlive(pid), false)
}

test('kills a child that ignores SIGTERM when the parent exits', LIMIT, async (t) => {
  const { parent, pid } = await startParent(t, IGNORES_SIGTERM)
  await endsWith(parent, 'SIGTERM', pid)
})

for (const app of ['visit-notes', 'coding-watch', 'care-gaps', 'referral-desk', 'growth-chart']) {
  test(`${app} exits after SIGKILL of the sandbox`, LIMIT, async (t) => {
    const main = new URL(`../../${app}/src/main.mjs`, import.meta.url)
    const { parent, pid } = await startParent(
      t,
      `${PID_FIRST}await import(${JSON.stringify(main)})`,
    )
    await endsWith(parent, 'SIGKILL', pid)
  })
}
