// The sample apps that create-chartside-app writes: each is what the command writes today, but for
// the files that scripts/samples.ts lists as by hand.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildSampleFiles, SAMPLES, sampleFolder } from '../scripts/samples.ts'

for (const sample of SAMPLES) {
  test(`${sample.name} is what create-chartside-app writes`, async () => {
    const cwd = sampleFolder(sample)
    const written = await buildSampleFiles(sample)
    for (const [path, content] of written) {
      const text = readFileSync(join(cwd, path), 'utf8')
      assert.equal(text, content, `${path} differs: change the template, then npm run samples`)
    }
    const found = globSync('**/{*,.*}', { cwd, exclude: ['node_modules', '.env'] })
    const files = found.filter((path) => /\.\w+$/.test(path))
    assert.deepEqual(files.sort(), [...written.keys(), ...sample.byHand].sort())
  })
}
