// Passwords: argon2id, the same work for nobody, bounded concurrency. Security K04, U07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandomness } from '../randomness.ts'
import { passwordHasher } from './password.ts'

const hasher = passwordHasher(systemRandomness())

test('the right password is accepted, a wrong one is not, and no two hashes are alike', async () => {
  const stored = await hasher.hash('pässword')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await hasher.isCorrect('pässword', stored), true)
  assert.equal(await hasher.isCorrect('pa\u0308ssword', stored), true)
  assert.equal(await hasher.isCorrect('password', stored), false)
  assert.notEqual(await hasher.hash('pässword'), stored)
})

test('an address that nobody has costs the same work and is refused [U07]', async () => {
  const stored = await hasher.hash('x')
  const time = async (hash: string | undefined) => {
    const started = performance.now()
    for (let i = 0; i < 5; i++) assert.equal(await hasher.isCorrect('wrong', hash), false)
    return performance.now() - started
  }
  await time(stored)
  const [known, unknown] = [await time(stored), await time(undefined)]
  assert.ok(unknown > known / 3 && unknown < known * 3, `${known} against ${unknown}`)
})

test('a damaged hash refuses instead of failing', async () => {
  for (const damaged of ['', 'plain', '$argon2id$v=19$m=1$$', '$a$b$c']) {
    assert.equal(await hasher.isCorrect('x', damaged), false)
  }
})
