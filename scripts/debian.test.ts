// What the scripts install on a machine, and when. Reads the words of the refusal; runs no apt-get.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { installFromDebian } from './debian.ts'

test('installs no Debian package without being asked for, and names the command [V37]', async () => {
  for (const environment of [{}, { CHARTSIDE_INSTALL: '' }, { CHARTSIDE_INSTALL: 'true' }]) {
    const failure = await installFromDebian(['chromium'], environment)
    assert.match(String(failure), /CHARTSIDE_INSTALL=1/)
    assert.match(String(failure), /apt-get install --yes --no-install-recommends chromium$/)
  }
})

test('is asked for it by continuous integration [V37]', () => {
  const script = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8')
  assert.match(script, /^export CHARTSIDE_INSTALL=1$/m)
})
