// What `chartside audit verify` says of exports that were tampered with. Security P07, V09.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TAMPERED, WHOLE } from '../../../test/tampered-trails.ts'
import { chartside } from './archive/archive-fixture.ts'

test('says of each tampered export what is wrong, and calls the whole one whole [V09]', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-verify-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'trail.jsonl')
  const verify = (lines: readonly string[]) => {
    writeFileSync(file, `${lines.join('\n')}\n`)
    return chartside('file::memory:', 'verify', file)
  }
  assert.match(await verify(WHOLE), /^Whole: 4 events of acc_1\./m)
  for (const { what, lines, says } of TAMPERED) {
    await assert.rejects(verify(lines), says, what)
  }
})
