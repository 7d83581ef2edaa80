// Where a pre-flight may connect: every address that is not of the public Internet is refused, in every
// spelling, and a name is resolved once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPermittedAddresses, isPermittedAddress } from './target-address.ts'

const LOOPBACK = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']
const REFUSED = [
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.100.100.200'],
  ...['169.254.169.254', '169.254.0.1', '0.0.0.0', '0.1.2.3', '255.255.255.255', '224.0.0.1'],
  ...['240.0.0.1', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['168.63.129.16', '192.88.99.1', '::', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::10.0.0.1'],
  ...['::ffff:0:10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::a00:1'],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '100::1'],
  ...['2001:db8::1', '2001::1', '2002:7f00:1::', '2002:a00:1::', '3fff::1', '5f00::1', '4000::1'],
  ...['', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]'],
]

test('refuses every address that is not public [A18]', () => {
  const taken = [...REFUSED, ...LOOPBACK].filter((address) => isPermittedAddress(address, false))
  assert.deepEqual(taken, [])
})

test('takes public addresses', () => {
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::1']) {
    assert.equal(isPermittedAddress(address, false), true, address)
  }
})

test('takes loopback in development, and no other internal address', () => {
  assert.ok(LOOPBACK.every((address) => isPermittedAddress(address, true)))
  assert.deepEqual(
    REFUSED.filter((address) => isPermittedAddress(address, true)),
    [],
  )
})

const { signal } = new AbortController()

test('leaves out the internal addresses of a name, and asks for it once', async () => {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return ['10.0.0.1', '8.8.8.8', '::ffff:127.0.0.1', '169.254.169.254']
  }
  assert.deepEqual(await findPermittedAddresses('app.vendor.com', false, resolve, signal), [
    '8.8.8.8',
  ])
  assert.deepEqual(asked, ['app.vendor.com'])
})

test('looks up no address, no name of this machine and no name that DNS does not have', async () => {
  const resolve = () => Promise.reject(new Error('looked up'))
  const find = (host: string, allowsLoopback: boolean) =>
    findPermittedAddresses(new URL(`https://${host}/`).hostname, allowsLoopback, resolve, signal)
  for (const host of ['0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '017700000001']) {
    assert.deepEqual(await find(host, false), [], host)
  }
  for (const host of ['intranet', 'ehr.internal', 'printer.local', 'notes.example', 'a.test.']) {
    assert.deepEqual(await find(host, true), [], host)
  }
  assert.deepEqual(await find('app.localhost', false), [])
  assert.deepEqual(await find('app.localhost', true), ['127.0.0.1', '::1'])
})
