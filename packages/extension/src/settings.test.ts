// Where the settings come from, and which addresses of a service are accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSettings, parseServiceAddress } from './settings.ts'

const built = { service: null, isDevelopment: false }

test('takes an https address and refuses everything else', () => {
  assert.deepEqual(parseServiceAddress(' chartside.example/ ', false), {
    service: 'https://chartside.example',
  })
  assert.deepEqual(parseServiceAddress('https://a.example/base/', false), {
    service: 'https://a.example/base',
  })
  for (const address of [
    '',
    'http://chartside.example',
    'http://localhost:4700',
    'javascript://x',
    'https://user:pass@a.example',
    'https://a.example/?x=1',
    'https://a.example/#x',
  ]) {
    assert.ok('problem' in parseServiceAddress(address, false), address)
  }
  assert.deepEqual(parseServiceAddress('http://localhost:4700', true), {
    service: 'http://localhost:4700',
  })
  assert.ok('problem' in parseServiceAddress('http://chartside.example', true))
})

test('prefers the policy to the build, and that to what a person typed [V28]', () => {
  const managed = { service: 'https://policy.example', accountId: 'acc_1' }
  const local = { settings: { service: 'https://typed.example' } }
  const withDefault = { service: 'https://built.example', isDevelopment: false }
  assert.deepEqual(chooseSettings({ managed, local, built: withDefault }), {
    service: 'https://policy.example',
    accountId: 'acc_1',
    isManaged: true,
  })
  const ofBuild = { service: 'https://built.example', accountId: null, isManaged: false }
  assert.deepEqual(chooseSettings({ managed: {}, local, built: withDefault }), ofBuild)
  assert.deepEqual(chooseSettings({ managed: {}, local: {}, built: withDefault }), ofBuild)
  assert.equal(chooseSettings({ managed: {}, local, built })?.service, 'https://typed.example')
  assert.equal(chooseSettings({ managed: {}, local: {}, built }), null)
})

test('keeps the confirmed service while another one is only typed [V28]', () => {
  const choose = (typed: string, confirmedService: unknown) =>
    chooseSettings({
      managed: {},
      local: { settings: { service: typed }, confirmedService },
      built,
    })
  const settings = { service: 'https://a.example', accountId: null, isManaged: false }
  assert.deepEqual(choose('https://a.example', undefined), settings, 'the first one')
  assert.deepEqual(choose('https://a.example', 'https://a.example'), settings)
  assert.deepEqual(choose('https://evil.example', 'https://a.example'), {
    ...settings,
    proposed: 'https://evil.example',
  })
  assert.deepEqual(choose('http://evil.example', 'https://a.example'), settings, 'no address')
})

test('uses no address at all when the policy has a bad one', () => {
  const managed = { service: 'http://policy.example' }
  const local = { settings: { service: 'https://a.example' } }
  assert.equal(chooseSettings({ managed, local, built }), null)
})
