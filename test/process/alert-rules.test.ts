// Tries the alert rules with the promtool of Debian's Prometheus: a page of no traffic, and what is too long ago.
// Only that program evaluates the expressions as an installation does.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findDebianFile, isMissing } from './debian.ts'

test('alerts of missing traffic and of old backups, archives and sweeps fire in time', async (t) => {
  const promtool = await findDebianFile('prometheus', 'bin/promtool')
  if (isMissing(promtool)) return t.skip(promtool.why)
  const { status, stdout, stderr } = spawnSync(
    promtool.path,
    ['test', 'rules', 'alerts.test.yml'],
    {
      cwd: fileURLToPath(new URL('../../deploy/prometheus', import.meta.url)),
      encoding: 'utf8',
      env: { ...process.env, ...promtool.env },
    },
  )
  assert.equal(status, 0, stdout + stderr)
})
