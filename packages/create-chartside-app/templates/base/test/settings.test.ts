// The settings from the environment: what is required, and what has a default.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSettings } from '../src/settings.ts'

const ENV = { CLIENT_ID: 'cli_1', CLIENT_SECRET: 'cs_1', PORT: '4710' }

test('requires the credentials of the app', () => {
  for (const missing of ['CLIENT_ID', 'CLIENT_SECRET']) {
    assert.throws(() => parseSettings({ ...ENV, [missing]: '' }), /CLIENT_ID and CLIENT_SECRET/)
  }
})

test('has a default for every address, and takes a list of frame ancestors', () => {
  const settings = parseSettings({
    ...ENV,
    FRAME_ANCESTORS: 'https://a.example, https://b.example ',
  })
  assert.equal(settings.publicUrl, 'http://{{slug}}.chartside.localhost:4710')
  assert.equal(settings.tokenUrl, 'http://localhost:4700/app-auth/token')
  assert.deepEqual(settings.frameAncestors, ['https://a.example', 'https://b.example'])
})
