// The `.env` block of an app: it names what new apps read, reads back as it was, and takes no second line
// from a value.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { buildAppEnvironment, buildPortEnvironment, formatEnvironment } from './app-environment.ts'

const APP = {
  clientId: 'cli_1',
  clientSecret: '',
  publicUrl: 'https://notes.example',
  baseUrl: 'https://connect.example',
  tokenUrl: 'https://connect.example/app-auth/token',
  idTokenSignedResponseAlg: 'ES256',
  frameAncestors: ['chrome-extension://abcdefghijklmnop', 'https://ehr.example'],
}

test('names the variables of a new app’s .env.example, and no other', () => {
  const example = readFileSync(
    new URL('../../create-chartside-app/templates/base/_env.example', import.meta.url),
    'utf8',
  )
  const names = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name)
  for (const name of Object.keys(buildAppEnvironment(APP))) assert.ok(names.includes(name), name)
})

test('reads back as it was, with an empty secret and two origins', () => {
  const variables = buildAppEnvironment(APP)
  const text = formatEnvironment(variables, ['issuer https://connect.example/app-auth'])
  assert.deepEqual(parseEnv(text), variables)
  assert.equal(variables.FRAME_ANCESTORS, APP.frameAncestors.join(' '))
  assert.ok(text.includes('\nCLIENT_SECRET=\n'))
  assert.equal(buildAppEnvironment({ ...APP, tokenUrl: undefined }).CHARTSIDE_TOKEN_URL, undefined)
})

test('refuses a value or a remark that would begin another line', () => {
  for (const sign of ['\n', '\r']) {
    assert.throws(() => formatEnvironment({ PUBLIC_URL: `https://a${sign}CLIENT_ID=b` }))
    assert.throws(() => formatEnvironment({}, [`issuer${sign}CLIENT_ID=b`]))
  }
})

test('has a port and an origin for each further server of an app', () => {
  const origins = { origin: 'http://a.localhost:1', 'origin.provider': 'http://b.localhost:2' }
  assert.deepEqual(buildPortEnvironment({ port: 1, ports: { provider: 2 }, origins }), {
    PORT: '1',
    PORT_PROVIDER: '2',
    PUBLIC_URL_PROVIDER: 'http://b.localhost:2',
  })
})
