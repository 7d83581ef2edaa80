// The caller's address as a table: peers, chains of proxies, headers that lie, spellings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeBadProxy, findCaller, networkOf, trustedProxies } from './client-address.ts'

const LIST = ['loopback', '10.0.0.0/8', '203.0.112.7', '2a06:98c0::/29']
const isTrusted = trustedProxies(LIST)

/** Peer, header, whom we take for the caller, and why. */
const CHAINS: [string, string | undefined, string, string, string][] = [
  ['8.8.8.8', undefined, '8.8.8.8', 'public', 'a peer that is no proxy'],
  ['8.8.8.8', '9.9.9.9', '8.8.8.8', 'public', 'a header that no trusted proxy has written'],
  ['10.0.0.1', undefined, '10.0.0.1', 'internal', 'a proxy that asks for itself'],
  ['10.0.0.1', '9.9.9.9', '9.9.9.9', 'public', 'one proxy'],
  ['::ffff:10.0.0.1', '9.9.9.9', '9.9.9.9', 'public', 'the proxy as a dual-stack socket shows it'],
  ['::ffff:a00:1', '::ffff:9.9.9.9', '9.9.9.9', 'public', 'IPv4 inside IPv6, both spellings'],
  ['203.0.112.7', '9.9.9.9, 10.2.3.4', '9.9.9.9', 'public', 'two proxies in a row'],
  ['10.0.0.1', '8.8.8.8, 9.9.9.9', '9.9.9.9', 'public', 'what the caller claims is further left'],
  ['10.0.0.1', '10.9.9.9, 9.9.9.9', '9.9.9.9', 'public', 'the caller claims to be a proxy'],
  ['10.0.0.1', '10.1.1.1,10.2.2.2', '10.1.1.1', 'internal', 'proxies all the way'],
  ['203.0.112.8', '9.9.9.9', '203.0.112.8', 'public', 'the neighbour of a proxy'],
  ['10.0.0.1', 'unknown', '10.0.0.1', 'unknown', 'a proxy that does not tell'],
  ['10.0.0.1', '', '10.0.0.1', 'unknown', 'an empty header'],
  ['10.0.0.1', '9.9.9.9,', '10.0.0.1', 'unknown', 'an empty element'],
  ['10.0.0.1', '9.9.9.9, nonsense', '10.0.0.1', 'unknown', 'nonsense where the caller should be'],
  ['10.0.0.1', 'nonsense, 9.9.9.9', '9.9.9.9', 'public', 'nonsense that the caller sent'],
  ['10.0.0.1', '0x9.9.9.9', '10.0.0.1', 'unknown', 'a hexadecimal address'],
  ['10.0.0.1', '011.9.9.9', '10.0.0.1', 'unknown', 'an octal address'],
  ['10.0.0.1', '9.9.9.9:4711', '9.9.9.9', 'public', 'with a port'],
  ['10.0.0.1', '[2001:4860::1]:4711', '2001:4860::1', 'public', 'IPv6 with a port'],
  ['2a06:98c0::5', '2001:4860:0:0::1', '2001:4860::1', 'public', 'IPv6 proxy, IPv6 caller'],
  ['::1', '127.0.0.1', '127.0.0.1', 'internal', 'loopback by name'],
  ['192.168.1.5', '9.9.9.9', '192.168.1.5', 'internal', 'private, but not on the list'],
  ['fe80::1%eth0', undefined, 'fe80::1', 'internal', 'a zone is not part of an address'],
  ['8.8.8.8', '9.9.9.9, 8.8.8.8', '8.8.8.8', 'public', 'a caller that names itself'],
  ['100.64.0.9', undefined, '100.64.0.9', 'internal', 'behind the provider’s own translation'],
  ['::8.8.8.8', undefined, 'unknown', 'unknown', 'IPv4 in an unroutable IPv6 form'],
  ['::808:808', undefined, '::808:808', 'unknown', 'the same in hexadecimal'],
  ['64:ff9b::808:808', undefined, '64:ff9b::808:808', 'unknown', 'a translated address'],
  ['0.0.0.0', undefined, '0.0.0.0', 'unknown', 'no address at all'],
]
for (const [peer, header, address, kind, why] of CHAINS) {
  test(`finds the caller: ${why} [T17]`, () => {
    assert.deepEqual(findCaller(peer, header, isTrusted), { address, kind })
  })
}

test('a closed socket has no address and is not trusted', () => {
  assert.deepEqual(findCaller(undefined, '9.9.9.9', isTrusted), {
    address: 'unknown',
    kind: 'unknown',
  })
})

test('ignores the header without trusted proxies', () => {
  const trustsNoProxy = trustedProxies([])
  for (const peer of ['127.0.0.1', '10.0.0.1', '::1', '8.8.8.8']) {
    assert.equal(findCaller(peer, '9.9.9.9', trustsNoProxy).address, peer)
  }
})

test('handles every header; with one proxy the last element decides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.ipV4(), (noise, last) => {
      findCaller('10.0.0.1', noise, isTrusted)
      const noisy = findCaller('10.0.0.1', `${noise},${last}`, trustedProxies(['10.0.0.1']))
      assert.deepEqual(noisy, findCaller(last, undefined, isTrusted))
    }),
  )
})

test('the word private means RFC 1918, unique local and link-local, not loopback', () => {
  const isPrivate = trustedProxies(['private'])
  const isUsed = (peer: string) => findCaller(peer, '9.9.9.9', isPrivate).address === '9.9.9.9'
  for (const peer of ['10.1.1.1', '172.16.0.1', '192.168.0.1', 'fd00::1', 'fe80::1']) {
    assert.equal(isUsed(peer), true, peer)
  }
  for (const peer of ['127.0.0.1', '::1', '172.32.0.1', '100.64.0.1', '8.8.8.8', '2001:4860::1']) {
    assert.equal(isUsed(peer), false, peer)
  }
})

test('explains a bad item of the list of trusted proxies', () => {
  for (const item of [...LIST, '::1', '10.1.2.3/8', 'private']) {
    assert.equal(describeBadProxy(item), undefined, item)
  }
  const bad = ['10.0.0.0/33', '10.0.0/8', 'proxy.example', '0.0.0.0/0', '::/0', '10.0.0.1/', 'all']
  for (const item of [...bad, '::ffff:10.0.0.0/104', 'toString', '0x0a.1', '/8']) {
    assert.match(describeBadProxy(item) ?? '', /^has "/, item)
  }
})

test('counts one IPv4 address, or one IPv6 /64, as a network [T16]', () => {
  const networks: [string, string][] = [
    ['9.9.9.9', '9.9.9.9'],
    ['::ffff:9.9.9.9', '9.9.9.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['unknown', 'unknown'],
  ]
  for (const [address, network] of networks) assert.equal(networkOf(address), network)
})
