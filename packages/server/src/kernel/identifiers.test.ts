// Identifiers and bearer values: shape, order, entropy. Contract §1, security C01, K05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  hashBearer,
  idFloor,
  isSameHash,
  mintBearer,
  newClientId,
  newId,
  newIdIn,
  parseBearer,
  redactBearers,
} from './identifiers.ts'
import { partOf, partOfId } from './partitions.ts'
import { systemRandomness } from './randomness.ts'

const randomness = systemRandomness()
const NOW = 1_772_366_400_000

test('identifiers sort by creation time', () => {
  const made = [0, 1, 1000, 86_400_000].map((later) => newId('lau', NOW + later, randomness))
  assert.deepEqual([...made].sort(), made)
  assert.match(made[0] ?? '', /^lau_[0-9a-hjkmnp-tv-z]{22}$/)
})

test('a bearer value has its prefix and its row, and never a colon', () => {
  const id = newId('lau', NOW, randomness)
  const code = mintBearer('code', id, randomness)
  assert.equal(parseBearer('code', 'lau', code), id)
  assert.equal(parseBearer('at', 'lau', code), undefined)
  assert.equal(parseBearer('code', 'lau', `${code}x`), undefined)
  assert.equal(parseBearer('code', 'lau', code.slice(0, -1)), undefined)
  assert.doesNotMatch(code, /:/)
})

test('mints 100,000 codes without collision and with over 96 bits of entropy [C01]', () => {
  const id = newId('lau', NOW, randomness)
  const codes = new Set<string>()
  for (let i = 0; i < 100_000; i++) codes.add(mintBearer('code', id, randomness))
  assert.equal(codes.size, 100_000)
  const [sample = ''] = codes
  const secret = sample.slice(-43)
  const counts = new Map<string, number>()
  for (const character of secret) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / secret.length)
  assert.ok(bits > 96, `${bits} bits`)
})

test('hashes compare by content and length', () => {
  const hash = hashBearer('at_x')
  assert.equal(hash.length, 43)
  assert.equal(isSameHash(hash, hashBearer('at_x')), true)
  assert.equal(isSameHash(hash, hashBearer('at_y')), false)
  assert.equal(isSameHash(hash, hash.slice(1)), false)
})

test('a client id is cli_ and 32 hexadecimal digits', () => {
  assert.match(newClientId(randomness), /^cli_[0-9a-f]{32}$/)
})

test('the random pool never returns the same bytes twice', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 5000; i++) seen.add(systemRandomness().bytes(16).toString('hex'))
  for (let i = 0; i < 5000; i++) seen.add(randomness.bytes(16).toString('hex'))
  assert.equal(seen.size, 10_000)
  assert.equal(randomness.bytes(5000).length, 5000)
})

test('idFloor separates identifiers from before a time and from it on', () => {
  const at = Date.parse('2026-03-01T12:00:00Z')
  const floor = idFloor('lau', at)
  assert.ok(newId('lau', at - 1, randomness) < floor)
  assert.ok(newId('lau', at, randomness) >= floor)
})

test('cuts bearer values of every kind to their prefix [C15]', () => {
  for (const prefix of ['lnch', 'code', 'at', 'cs', 'st', 'invite'] as const) {
    const value = mintBearer(prefix, newId('lau', 0, randomness), randomness)
    assert.equal(
      redactBearers(`shows ${value}, twice ${value}`),
      `shows ${prefix}_…, twice ${prefix}_…`,
    )
  }
})

test('a session and its launches carry the partition of their account', () => {
  const parts = Array.from({ length: 2000 }, (_, i) => partOf(`acc_${i}`))
  assert.ok(parts.every((part) => part > 0 && part < 32 ** 3))
  assert.ok(new Set(parts).size > 1900, 'accounts are spread')
  for (const part of parts.slice(0, 200)) {
    const id = newIdIn(part, 'lau', NOW, randomness)
    assert.match(id, /^lau_[0-9a-hjkmnp-tv-z]{22}$/)
    assert.equal(partOfId(id), part)
    assert.ok(id >= idFloor('lau', NOW) && id < idFloor('lau', NOW + 1))
    const code = mintBearer('code', id, randomness)
    assert.equal(partOfId(parseBearer('code', 'lau', code) ?? ''), part)
  }
  assert.equal(partOf('acc_01kdtq0zg0m9x2v4c6b8n0p1r3'), partOf('acc_01kdtq0zg0m9x2v4c6b8n0p1r3'))
  for (const strange of ['', 'lau', 'lau_', 'lau_~~~~~~~~~~~~~~~~~~~~~~', 'lau_ÅÅÅÅÅÅÅÅÅÅÅÅÅÅ']) {
    assert.ok(partOfId(strange) >= 0 && partOfId(strange) < 32 ** 3)
  }
})
