// What an operator does on the command line is in the platform's audit trail, with who ran it on which
// machine, and without a secret. Security P02, P06.
import assert from 'node:assert/strict'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from './command.ts'
import { ADMIN, findFreePort, type ServiceProcess, startService } from './service-process.ts'
import { bearer, send, signIn } from './story-verbs.ts'

let service: ServiceProcess
let metricsPort: number
before(async () => {
  metricsPort = await findFreePort()
  const environment = { CHARTSIDE_METRICS_PORT: String(metricsPort) }
  service = await startService({ isStartedBefore: true, environment })
})
after(() => service.discard())

async function chartside(...args: string[]) {
  const ran = await runCommand(args, { CHARTSIDE_DATA_DIR: service.dataDir })
  assert.equal(ran.code, 0, ran.stderr)
  return ran
}

interface ShownEvent {
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly detail: Record<string, string>
}

test('records key changes, backups and exports by command, and no dry run [P06]', async () => {
  await chartside('keys', 'list')
  await chartside('keys', 'rotate', '--dry-run')
  await chartside('keys', 'rotate', '--after-seconds', '600')
  const keys = JSON.parse((await chartside('keys', 'list', '--json')).stdout)
  await chartside('keys', 'revoke', keys.at(-1).kid)
  await chartside('db', 'backup', join(service.dataDir, 'backup.db'))
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  assert.match(metrics, /^chartside_last_occurrence_timestamp_seconds\{occurrence="backup"\} \d/m)
  await chartside('audit', 'export', join(service.dataDir, 'trail.jsonl'))
  const token = await signIn(service.baseUrl, ADMIN)
  const { body } = await send(service.baseUrl, '/api/audit-events?limit=200', {
    headers: bearer(token),
  })
  const events = (body.items as ShownEvent[]).filter(({ actor }) => actor === 'operator').reverse()
  assert.deepEqual(
    events.map(({ action }) => action),
    ['rotateKeys', 'revokeKey', 'backUpDatabase', 'exportAuditTrail'],
  )
  for (const { detail } of events) {
    assert.deepEqual([detail.user, detail.host], [userInfo().username, hostname()])
  }
  assert.match(events[0]?.target ?? '', /^[\w-]{43}$/)
  assert.match(events[2]?.detail.with ?? '', /backup\.db$/)
  assert.equal(JSON.stringify(events).includes(ADMIN.password), false)
})
