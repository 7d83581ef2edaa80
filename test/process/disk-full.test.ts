// The disk under the embedded database fills up while the real service works on it, and later has
// room again: the system refuses to let the files grow (RLIMIT_FSIZE through prlimit, Linux). What
// was acknowledged stays, reads go on, writes are refused in words, and no restart is needed.
// Security F01, F04.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import {
  type Answer,
  api,
  authorize,
  bearer,
  exchange,
  freshCode,
  isActive,
  launch,
  send,
  sendJson,
  setUpPractice,
} from './story-verbs.ts'

const skip = process.platform === 'linux' ? false : 'prlimit sets limits of a process on Linux only'
const WORKERS = 8
const READY_AGAIN_WITHIN_MS = 5000

/** Largest size of a file of this process in bytes; undefined: any. */
function limitFiles(pid: number, bytes: number | undefined): void {
  const soft = bytes === undefined ? 'unlimited' : String(bytes)
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${soft}:unlimited`])
}

const isUnavailable = ({ status, headers, body }: Answer) =>
  status === 503 &&
  Number(headers.get('retry-after')) > 0 &&
  (body.error ?? body.code) === 'temporarily_unavailable'

test('serves reads on a full disk and recovers without a restart [F01, F04]', {
  skip,
}, async (t) => {
  const service = await startService({
    isStartedBefore: true,
    environment: { CHARTSIDE_CODE_LIFETIME_SECONDS: '600' },
  })
  t.after(() => service.discard())
  const { baseUrl, pid } = service
  const practice = await setUpPractice(baseUrl, ADMIN)
  const token = String((await exchange(practice, await freshCode(practice))).body.access_token)
  const code = await freshCode(practice)
  const { launchId } = await launch(practice)
  const probe = () => send(baseUrl, '/health/ready')

  // Fills up in the middle of a load of writes.
  const log = join(service.dataDir, 'chartside.db-wal')
  limitFiles(pid, statSync(log).size + 600_000)
  const acknowledged: string[] = []
  let refused = 0
  const work = async () => {
    for (let i = 0; i < 400 && refused < 40; i++) {
      const path = `/api/sessions/${practice.sessionId}/launches`
      const answer = await api(practice, 'POST', path, { appId: practice.app.id, kind: 'ui' })
      if (answer.status === 201) acknowledged.push(String(answer.body.id))
      else {
        assert.ok(isUnavailable(answer), answer.text)
        refused += 1
      }
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  assert.ok(acknowledged.length > 20 && refused >= 40, `${acknowledged.length}, ${refused}`)

  // What a checkpoint may have freed is taken too.
  limitFiles(pid, 4096)
  assert.ok(isUnavailable(await exchange(practice, code)))
  await sleep(1100)
  const notReady = await probe()
  assert.equal(notReady.status, 503)
  assert.match(String(notReady.body.cause), /disk/)
  assert.equal((await send(baseUrl, '/health')).status, 200)
  assert.ok(isUnavailable(await exchange(practice, code)))
  assert.ok(isUnavailable((await authorize(practice, launchId)).answer))
  assert.ok(isUnavailable(await sendJson(baseUrl, '/auth/sign-in', ADMIN)))
  assert.ok(isUnavailable(await api(practice, 'POST', '/api/accounts', { name: 'Too much' })))
  assert.equal(await isActive(practice, token), true)
  assert.equal((await send(baseUrl, '/app-auth/.well-known/jwks.json')).status, 200)
  const userinfo = await send(baseUrl, '/app-auth/userinfo', { headers: bearer(token) })
  assert.equal(userinfo.status, 200)
  assert.deepEqual(await listMissing(practice, acknowledged), [])

  limitFiles(pid, undefined)
  const began = performance.now()
  while ((await probe()).status !== 200) {
    assert.ok(performance.now() - began < READY_AGAIN_WITHIN_MS, 'ready again')
    await sleep(50)
  }
  t.diagnostic(`ready ${Math.round(performance.now() - began)} ms after there was room again`)
  assert.equal((await exchange(practice, code)).status, 200, 'the refused code was not spent')
  assert.equal((await exchange(practice, code)).body.error, 'invalid_grant')
  assert.ok((await authorize(practice, launchId)).code)

  await fillAndKill(service, practice)
  checkFile(service)
  const next = await startService({ dataDir: service.dataDir, port: service.port })
  t.after(() => next.discard())
  assert.deepEqual(await listMissing(practice, acknowledged), [])
  assert.equal(await isActive(practice, token), true)
})

type Practice = Awaited<ReturnType<typeof setUpPractice>>

async function listMissing(practice: Practice, ids: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const id of ids) {
    if ((await api(practice, 'GET', `/api/launches/${id}`)).status !== 200) missing.push(id)
  }
  return missing
}

/** The worst moment to lose power: a write has just failed for want of room. */
async function fillAndKill(service: ServiceProcess, practice: Practice): Promise<void> {
  limitFiles(service.pid, statSync(join(service.dataDir, 'chartside.db-wal')).size)
  const path = `/api/sessions/${practice.sessionId}/launches`
  const answer = await api(practice, 'POST', path, { appId: practice.app.id, kind: 'ui' })
  assert.ok(isUnavailable(answer), answer.text)
  await service.end('SIGKILL')
}

function checkFile({ dataDir }: ServiceProcess): void {
  const file = new DatabaseSync(join(dataDir, 'chartside.db'))
  assert.deepEqual({ ...file.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
  file.close()
}
