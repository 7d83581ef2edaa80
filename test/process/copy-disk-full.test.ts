// A copy or a backup onto a disk that is full, or fills up in the middle, on a real small file system: it ends at
// once with the file and the cause, and not with the words of a migration of the service. Security F04.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyDatabase } from '../../packages/operator/src/copy/copy.ts'
import { CopyFailed } from '../../packages/operator/src/copy/endpoint.ts'
import { fixedClock as clock, fillDatabase } from '../../packages/server/test/copy-fixture.ts'
import { mountSmallDisk, whyNoMount } from './small-disk.ts'

const AT_ONCE_MS = 20_000

test('a copy onto a full disk names the file and the cause, at once [F04]', {
  skip: whyNoMount() ?? false,
}, async (t) => {
  const source = join(tmpdir(), `chartside-copy-${process.pid}.db`)
  t.after(() => {
    for (const end of ['', '-wal', '-shm']) rmSync(source + end, { force: true })
  })
  await fillDatabase(`file:${source}`, 3000)
  // The tables need 0.9 MB with their log; the rows do not fit into 2 MB.
  for (const megabytes of [1, 2]) {
    const disk = mountSmallDisk(megabytes)
    try {
      const to = `file:${join(disk.path, 'copy.db')}`
      const startedAt = Date.now()
      await assert.rejects(copyDatabase({ from: `file:${source}`, to, clock }), (error: Error) => {
        assert.ok(error instanceof CopyFailed, String(error))
        assert.match(error.message, /copy\.db.*full/)
        assert.match(error.message, /Make room, or choose/)
        assert.doesNotMatch(error.message, /Migration|nodes of the version before/)
        return true
      })
      assert.ok(Date.now() - startedAt < AT_ONCE_MS)
    } finally {
      disk.unmount()
    }
  }
})
