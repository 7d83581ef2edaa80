// The archives that are published are the same bytes when they are packed again: who packs this
// commit can compare. Needs no registry.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { packAll } from '../../scripts/pack.ts'
import { copyArchives } from './packed-archives.ts'

test('packs the same bytes twice', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-packed-twice-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const first = await copyArchives(join(folder, 'first'))
  const second = await packAll(join(folder, 'second'))
  const hashes = (archives: ReadonlyMap<string, string>) =>
    [...archives]
      .map(([name, path]) => [name, createHash('sha256').update(readFileSync(path)).digest('hex')])
      .sort()
  assert.ok(first.size > 3)
  assert.deepEqual(hashes(second), hashes(first))
})
