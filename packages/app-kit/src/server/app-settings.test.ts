// The settings of an app from the environment: what is required, what has a default, and that an
// error names the one variable to set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPageSettings, parseAppSettings, parseProviderAppSettings } from './app-settings.ts'

const ENV = { CLIENT_ID: 'cli_1', CLIENT_SECRET: 'cs_1', PORT: '4710' }
const FRAMES = 'https://a.example, https://b.example '

test('requires the credentials of the app, for every option', () => {
  for (const missing of ['CLIENT_ID', 'CLIENT_SECRET']) {
    const env = { ...ENV, [missing]: '' }
    assert.throws(() => parseAppSettings(env, 'notes'), /CLIENT_ID and CLIENT_SECRET/)
    assert.throws(
      () => parseProviderAppSettings(env, 'notes', 'management'),
      /CLIENT_ID and CLIENT_SECRET/,
    )
  }
})

test('has a default for every address, and takes a list of frame ancestors', () => {
  const settings = parseAppSettings({ ...ENV, FRAME_ANCESTORS: FRAMES }, 'notes')
  assert.equal(settings.publicUrl, 'http://notes.chartside.localhost:4710')
  assert.equal(settings.tokenUrl, 'http://localhost:4700/app-auth/token')
  assert.deepEqual(settings.frameAncestors, ['https://a.example', 'https://b.example'])
})

test('has a default for every address of the provider of development', () => {
  const env = { ...ENV, FRAME_ANCESTORS: FRAMES }
  const { settings, provider } = parseProviderAppSettings(env, 'notes', 'management')
  assert.equal(settings.publicUrl, 'http://notes.chartside.localhost:4710')
  assert.equal(settings.providerUrl, 'http://provider.notes.chartside.localhost:4711')
  assert.equal(provider.tokenUrl, 'http://localhost:4700/app-auth/token')
  assert.deepEqual(settings.frameAncestors, ['https://a.example', 'https://b.example'])
})

test('names the variable that holds no port or no address', () => {
  for (const [name, value] of [
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'notes.example'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['CHARTSIDE_BASE_URL', 'localhost:4700'],
    ['CHARTSIDE_BASE_URL', 'hhttps://chartside.example'],
    ['CHARTSIDE_TOKEN_URL', '/token'],
  ] as const) {
    assert.throws(() => parseAppSettings({ ...ENV, [name]: value }, 'notes'), {
      message: new RegExp(`^Set ${name} \\(see \\.env\\.example\\) to `),
    })
  }
  const env = { ...ENV, ID_TOKEN_SIGNED_RESPONSE_ALG: 'none' }
  assert.throws(
    () => parseAppSettings(env, 'notes'),
    /^TypeError: ID_TOKEN_SIGNED_RESPONSE_ALG must/,
  )
})

test('takes a development server only for an app below localhost', () => {
  const parse = (env: object) => parseAppSettings({ ...ENV, ...env }, 'notes').isDevelopment
  assert.equal(parse({}), false)
  assert.equal(parse({ CHARTSIDE_DEVELOPMENT: '' }), false)
  assert.equal(parse({ CHARTSIDE_DEVELOPMENT: '1' }), true)
  for (const env of [
    { PUBLIC_URL: 'https://notes.example', CHARTSIDE_DEVELOPMENT: '1' },
    { PUBLIC_URL: 'https://localhost.example', CHARTSIDE_DEVELOPMENT: '1' },
    { PUBLIC_URL: 'https://notlocalhost', CHARTSIDE_DEVELOPMENT: '1' },
    { CHARTSIDE_DEVELOPMENT: 'yes' },
  ]) {
    assert.throws(() => parse(env), /CHARTSIDE_DEVELOPMENT is 1, and only for/)
  }
})

test('gives a page no secret, for every option', () => {
  const page = buildPageSettings(parseAppSettings(ENV, 'notes'))
  assert.deepEqual(Object.keys(page), ['clientId', 'baseUrl', 'redirectUri'])
  const { settings } = parseProviderAppSettings(ENV, 'notes', 'management')
  assert.deepEqual(Object.keys(buildPageSettings(settings)), ['baseUrl', 'providerUrl'])
})
