// The doctor on an app that makes every mistake: each fault is named, in a browser, by what is seen from outside.
// Then its command, as a pipeline calls it.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FAULTS } from '../../packages/faults/src/catalog.ts'
import { runFaults } from '../../packages/faults/src/run.ts'
import { freePort } from '../../packages/server/test/free-port.ts'
import { findChromium } from '../../scripts/chromium.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const POOR_APP = at('packages/faults/test/poor-app')

let folder: string
before(async () => {
  await findChromium()
  folder = await mkdtemp(join(tmpdir(), 'chartside-doctor-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('names each fault of an app that handles none', async () => {
  const { grade, faults } = await runFaults({ app: POOR_APP, env: process.env })
  assert.equal(faults.length, FAULTS.length)
  assert.deepEqual(
    faults.filter(({ outcome }) => !/^(partly|not_handled)$/.test(outcome)).map(({ name }) => name),
    [],
  )
  assert.equal(grade.level, 'D')
  for (const { checks } of faults) {
    for (const { state, cause, fix } of checks) assert.ok(state !== 'failed' || (cause && fix))
  }
})

const doctor = (args: readonly string[], env = process.env) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const command = [at('packages/faults/src/main.ts'), ...args]
    execFile(process.execPath, command, { timeout: 60_000, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

test('exits 1 below the wanted grade, and writes JSON and JUnit', async () => {
  const junit = join(folder, 'faults.xml')
  const wanted = ['--at-least', 'A', '--only', 'state-missing', '--json', '--junit', junit]
  const { code, stdout } = await doctor(['--app', POOR_APP, ...wanted])
  assert.equal(code, 1)
  const { faults } = JSON.parse(stdout)
  assert.deepEqual([faults.length, faults[0].outcome], [1, 'not_handled'])
  assert.match(await readFile(junit, 'utf8'), /failures="1"[\s\S]*state-missing[\s\S]*<failure/)
})

test('plays against an app at its address, and prints the settings that it needs', async () => {
  const [port, appPort] = [await freePort(), await freePort()]
  const env = { ...process.env, CHARTSIDE_FAULTS_PORT: String(port) }
  const play = () =>
    doctor(['--app', `http://localhost:${appPort}/launch`, '--only', 'state-missing'], env)
  const { code, stderr } = await play()
  assert.equal(code, 2)
  assert.match(stderr, /Nothing answers at http:\/\/localhost:\d+ before the run/)
  const settings = [...stderr.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  const app = spawn(process.execPath, [join(POOR_APP, 'server.mjs')], {
    env: { ...process.env, ...Object.fromEntries(settings), PORT: String(appPort) },
  })
  try {
    let played = await play()
    for (let tries = 0; played.code === 2 && tries < 5; tries += 1) played = await play()
    assert.equal(played.code, 1, played.stderr)
    assert.match(played.stdout, /^FAILED {2}state-missing/m)
  } finally {
    app.kill()
  }
})

test('exits 2 and says why when the run could not be made', async () => {
  for (const [args, why] of [
    [['--app', folder], /There is no chartside\.app\.json/],
    [['--app', POOR_APP, '--only', 'no-such-fault'], /No fault is called no-such-fault/],
    [[], /There is no chartside\.app\.json/],
  ] as const) {
    const { code, stderr } = await doctor(args)
    assert.equal(code, 2)
    assert.match(stderr, why)
  }
})
