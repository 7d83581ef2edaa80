// Values of strangers on their way to a timeline and an error page: bounded, visible, without bearer
// values; and the registered values nearest to them. Contract §2, security V11.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeSent, listRegistered } from './evidence.ts'

const sent = (value: unknown, name = 'redirect_uri') => describeSent(name, value).value

test('cuts a value, and says how long it was', () => {
  const shown = sent(`https://notes.example/${'a'.repeat(6000)}`)
  assert.match(shown, /^https:\/\/notes\.example\/a+… \(6022 characters\)$/)
  assert.ok(shown.length < 330)
})

test('writes out what a reader cannot see, and removes bearer values', () => {
  assert.equal(sent('a\u0007b\u202ec\nd\u200b'), 'a\\u{7}b\\u{202e}c\\u{a}d\\u{200b}')
  assert.equal(sent(`https://x.example/?t=cs_${'s'.repeat(65)}`), 'https://x.example/?t=cs_…')
  assert.equal(sent(`lnch_${'0'.repeat(65)}`, 'launch_id'), 'lnch_…')
  assert.equal(sent(undefined), '(not a text)')
})

test('shows a client ID, and never what may be a secret in its place', () => {
  const id = `cli_${'0'.repeat(32)}`
  assert.equal(sent(id, 'client_id'), id)
  assert.equal(sent('visit-notes', 'client_id'), 'visit-notes')
  const secret = 'q'.repeat(41)
  assert.equal(sent(secret, 'client_id'), '(41 characters that are not a client ID)')
})

test('shows every value in at most 340 visible characters of well-formed text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3000 })
  fc.assert(
    fc.property(text, (value) => {
      const shown = sent(value)
      assert.ok(shown.length <= 340 && shown.isWellFormed())
      assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Cs}]/u)
    }),
  )
})

test('lists the registered redirect URIs nearest to the one that was sent', () => {
  const far = Array.from({ length: 20 }, (_, i) => `https://other${i}.example/`)
  const app = { clientId: 'cli_1', redirectUris: [...far, 'https://notes.example/callback'] }
  const wrong = [describeSent('redirect_uri', 'https://notes.example/callbak')]
  const registered = listRegistered(app, 'redirect_uri_unregistered', wrong)
  assert.equal(registered.length, 5)
  assert.deepEqual(registered[0], { name: 'redirect_uri', value: app.redirectUris.at(-1) })
  const client = [describeSent('client_id', 'app_1')]
  assert.deepEqual(listRegistered(app, 'client_id_is_app_id', client), [
    { name: 'client_id', value: 'cli_1' },
  ])
  assert.deepEqual(listRegistered(app, 'launch_expired', []), [])
})
