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

test('prefers the policy to what a person typed, and that to the build', () => {
  const managed = { service: 'https://policy.example', accountId: 'acc_1' }
  const local = { service: 'https://typed.example' }
  const withDefault = { service: 'https://built.example', isDevelopment: false }
  assert.deepEqual(chooseSettings({ managed, local, built: withDefault }), {
    service: 'https://policy.example',
    accountId: 'acc_1',
    isManaged: true,
  })
  assert.equal(chooseSettings({ managed: {}, local, built: withDefault })?.service, local.service)
  assert.equal(
    chooseSettings({ managed: {}, local: {}, built: withDefault })?.service,
    withDefault.service,
  )
  assert.equal(chooseSettings({ managed: {}, local: {}, built }), null)
})

test('uses no address at all when the policy has a bad one', () => {
  const managed = { service: 'http://policy.example' }
  assert.equal(chooseSettings({ managed, local: { service: 'https://a.example' }, built }), null)
})
