// The installation of a database as an operator meets it: a service with other settings ends with cause
// and fix, and `chartside installation change` moves the database on purpose, in the audit trail.
// Security V14, P02.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { listEvents, NEWEST } from '../../packages/server/src/audit/audit-trail.ts'
import { openDatabase } from '../../packages/server/src/db/open.ts'
import { runCommand } from './command.ts'
import { spawnService, startService } from './service-process.ts'

const settingsOf = (base: string) => ({
  CHARTSIDE_ENVIRONMENT: 'staging',
  CHARTSIDE_BASE_URL: base,
})
const OLD = settingsOf('https://staging.example')
const NEW = settingsOf('https://staging.example.net')

test('moves a database to another issuer by a command only, and records it [V14]', async (t) => {
  const service = await startService({ environment: OLD })
  t.after(() => service.discard())
  const { dataDir } = service
  const chartside = (settings: Record<string, string>, ...args: string[]) =>
    runCommand(['installation', ...args], { ...settings, CHARTSIDE_DATA_DIR: dataDir })
  assert.equal(
    (await chartside(NEW, 'show')).stdout,
    'staging, issuer https://staging.example/app-auth\n',
  )
  await service.end()

  const refused = await spawnService({ dataDir, environment: NEW })
  assert.deepEqual(await refused.ended, { code: 1, signal: null })
  const [last = ''] = refused.output().trim().split('\n').slice(-1)
  assert.match(last, /belongs to staging with the issuer https:\/\/staging\.example\/app-auth/)
  assert.match(last, /run chartside installation change/)

  const dry = await chartside(NEW, 'change', '--dry-run')
  assert.match(dry.stdout, /^Would change from staging, issuer .+ to staging, issuer .+\.net\/app-/)
  assert.match((await chartside(OLD, 'change')).stdout, /^Nothing to change/)
  const changed = await chartside(NEW, 'change')
  assert.equal(changed.code, 0, changed.stderr)
  assert.match(changed.stderr, /Nodes that run keep the old issuer/)

  const db = await openDatabase(`file:${join(dataDir, 'chartside.db')}`)
  const asked = { accountId: 'platform', before: NEWEST, limit: 99, about: 'changeInstallation' }
  const events = await listEvents(db, asked)
  await db.close()
  assert.equal(events.length, 1)
  assert.equal(events[0]?.actor, 'operator')
  assert.match(JSON.stringify(events[0]?.detail), /staging\.example\.net/)

  const moved = await startService({ dataDir, environment: NEW })
  t.after(() => moved.discard())
})
