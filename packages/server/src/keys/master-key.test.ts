// Sealing: what comes out goes in, nothing else does, and the key file is made once and whole.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemRandomness } from '../kernel/randomness.ts'
import { loadOrCreateMasterKey, masterKeyFrom, seal, sealedWith, unseal } from './master-key.ts'

const randomness = systemRandomness()
const newMaster = () => masterKeyFrom(randomness.bytes(32).toString('base64'))
const master = { current: newMaster(), previous: undefined }
const secret = Buffer.from('the private key')

test('unseals what it sealed, and never seals the same way twice', () => {
  const sealed = seal(master, 'kid-1', secret, randomness)
  assert.deepEqual(unseal(master, 'kid-1', sealed), secret)
  assert.notEqual(seal(master, 'kid-1', secret, randomness), sealed)
  assert.equal(sealed.includes(secret.toString('base64url')), false)
})

test('detects a replaced or changed sealed value', () => {
  const sealed = seal(master, 'kid-1', secret, randomness)
  assert.throws(() => unseal(master, 'kid-2', sealed))
  // In the middle: the last character has bits that belong to no byte.
  const at = sealed.length - 10
  const flipped = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
  assert.throws(() => unseal(master, 'kid-1', flipped))
})

test('names the required master key when another one is set', () => {
  const other = { current: newMaster(), previous: undefined }
  const sealed = seal(master, 'kid-1', secret, randomness)
  assert.equal(sealedWith(sealed), master.current.id)
  assert.throws(() => unseal(other, 'kid-1', sealed), new RegExp(master.current.id))
  // While the master key is being changed, both open; only the new one seals.
  const changing = { current: other.current, previous: master.current }
  assert.deepEqual(unseal(changing, 'kid-1', sealed), secret)
  assert.equal(sealedWith(seal(changing, 'kid-1', secret, randomness)), other.current.id)
})

test('creates the development key once, complete, readable by its owner only', (t) => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'chartside-key-')), 'new')
  t.after(() => rmSync(join(dataDir, '..'), { recursive: true }))
  const made = loadOrCreateMasterKey(dataDir, randomness)
  assert.equal(loadOrCreateMasterKey(dataDir, randomness).id, made.id)
  assert.deepEqual(readdirSync(dataDir), ['master.key'])
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
})
