// The trail on the operator's command line, against a real service: export, verify offline, and what
// verify says of a file that was tampered with. Security P07.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN } from '../../packages/server/src/audit/audit-chain.ts'
import { runCommand } from './command.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { exchange, freshCode, type Practice, setUpPractice } from './story-verbs.ts'

let service: ServiceProcess
let practice: Practice
before(async () => {
  service = await startService({ isStartedBefore: true })
  practice = await setUpPractice(service.baseUrl, ADMIN)
  for (let i = 0; i < 5; i++) await exchange(practice, await freshCode(practice))
})
after(() => service.discard())

const chartside = (...args: string[]) => runCommand(args, { CHARTSIDE_DATA_DIR: service.dataDir })

test('an export is whole, and every way to change it shows', { timeout: 120_000 }, async () => {
  const path = (name: string) => join(service.dataDir, name)
  let exported = ''
  const account = ['--account', practice.accountId]
  const early = await chartside('audit', 'export', path('early.jsonl'), ...account)
  assert.match(early.stderr, /^\d+ events? pending: too new to be in it\./)
  const empty = await chartside('audit', 'verify', path('early.jsonl'))
  assert.equal(empty.code, 0)
  assert.match(empty.stdout, /no event: there is nothing to verify/)
  assert.doesNotMatch(empty.stdout, /Whole/)
  // The running node hangs events on the chain once they have settled.
  await sleep(CHAIN.settleMs)
  for (let i = 0; !exported.includes('"action":"exchange"'); i++) {
    assert.ok(i < 15, `no chained exchange in:\n${exported}`)
    await sleep(2500)
    const file = path(`trail-${i}.jsonl`)
    const ran = await chartside('audit', 'export', file, ...account)
    assert.equal(ran.code, 0, ran.stderr)
    exported = readFileSync(file, 'utf8')
  }
  const file = path('whole.jsonl')
  writeFileSync(file, exported)
  const whole = await chartside('audit', 'verify', file)
  assert.equal(whole.code, 0, whole.stderr)
  assert.match(whole.stdout, new RegExp(`^Whole: \\d+ events of ${practice.accountId}\\.`))
  const [, end = ''] = /It ends at (\d+:[\w-]{43})/.exec(whole.stdout) ?? []
  assert.equal((await chartside('audit', 'verify', file, '--known', end)).code, 0)
  for (const secret of [ADMIN.password, practice.app.secret, practice.sessionToken]) {
    assert.equal(exported.includes(secret), false)
  }

  const lines = exported.split('\n')
  const tampered = {
    changed: exported.replace('"outcome":"ok"', '"outcome":"refused"'),
    shortened: lines.slice(0, -3).join('\n'),
    thinned: lines.filter((_, i) => i !== 1).join('\n'),
  }
  for (const [name, text] of Object.entries(tampered)) {
    writeFileSync(path(`${name}.jsonl`), text)
    const ran = await chartside('audit', 'verify', path(`${name}.jsonl`))
    assert.equal(ran.code, 1, name)
    assert.match(ran.stderr, /The trail is NOT whole:\n {2}\S/)
  }
})

test('nothing is overwritten, and wrong arguments say what is right', async () => {
  const file = join(service.dataDir, 'platform.jsonl')
  assert.equal((await chartside('audit', 'export', file)).code, 0)
  const again = await chartside('audit', 'export', file)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /is there already/)
  assert.ok(existsSync(file))
  const missing = await chartside('audit', 'verify', join(service.dataDir, 'no-such-file'))
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /cannot be read/)
  const wrong = await chartside('audit', 'verify', file, '--known', 'yesterday')
  assert.match(wrong.stderr, /<number>:<hash>, not yesterday/)
})
