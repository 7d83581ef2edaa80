// Which public keys an app may register, and what is kept of them. Security P08.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { test } from 'node:test'
import { buildKeySet, findAssertionKey, listKeyProblems, type SentKey } from './app-key.ts'

const ec = (curve: string, half: 'publicKey' | 'privateKey' = 'publicKey') =>
  jwk(generateKeyPairSync('ec', { namedCurve: curve })[half].export({ format: 'jwk' }))
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  jwk(
    generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({
      format: 'jwk',
    }),
  )
const jwk = (key: JsonWebKey): SentKey => ({ kid: 'one', ...key }) as unknown as SentKey

const EC = ec('P-256')
const RSA = rsa(2048)
const fieldsOf = (...keys: SentKey[]) => listKeyProblems(keys).map(({ field }) => field)

test('takes P-256 and RSA keys, and keeps their public members only [P08]', () => {
  const sent = [
    { ...EC, x5c: ['MIIB'], key_ops: ['verify'] },
    { ...RSA, kid: 'two', alg: 'RS256', use: 'sig' },
  ]
  assert.deepEqual(listKeyProblems(sent), [])
  const { keys } = buildKeySet(sent)
  assert.deepEqual(
    keys.map((key) => Object.keys(key).sort().join(' ')),
    ['alg crv kid kty use x y', 'alg e kid kty n use'],
  )
  assert.deepEqual(
    keys.map(({ alg }) => alg),
    ['ES256', 'RS256'],
  )
  // What was kept may be sent again.
  assert.deepEqual(listKeyProblems(keys.map((key) => ({ ...key }))), [])
})

test('refuses a private key, a weak or huge one, another curve, algorithm or use', () => {
  const { x: _, ...withoutX } = EC
  const cases: [string, SentKey][] = [
    ['/jwks/keys/0/d', ec('P-256', 'privateKey')],
    ['/jwks/keys/0/k', { kty: 'RSA', kid: 'one', k: 'c2VjcmV0' }],
    ['/jwks/keys/0/n', rsa(1024)],
    ['/jwks/keys/0/n', { ...RSA, n: Buffer.alloc(1025, 255).toString('base64url') }],
    ['/jwks/keys/0/n', { ...RSA, n: undefined }],
    ['/jwks/keys/0/e', rsa(2048, 3)],
    ['/jwks/keys/0/crv', ec('P-384')],
    ['/jwks/keys/0/x', { ...EC, x: EC.y }],
    ['/jwks/keys/0/x', withoutX as SentKey],
    ['/jwks/keys/0/alg', { ...RSA, alg: 'PS256' }],
    ['/jwks/keys/0/alg', { ...EC, alg: 'RS256' }],
    ['/jwks/keys/0/use', { ...EC, use: 'enc' }],
    ['/jwks/keys/0/kid', { ...EC, kid: '' }],
    ['/jwks/keys/0/kid', { ...EC, kid: 'a\nb' }],
  ]
  for (const [field, key] of cases) assert.deepEqual(fieldsOf(key), [field], JSON.stringify(key))
  assert.deepEqual(fieldsOf(EC, { ...RSA }), ['/jwks/keys/1/kid'])
})

test('finds the key that is named; without a kid only where there is no choice', () => {
  const keys = buildKeySet([EC, { ...RSA, kid: 'two' }, { ...ec('P-256'), kid: 'three' }]).keys
  assert.ok(findAssertionKey(keys, 'ES256', 'one'))
  assert.ok(findAssertionKey(keys, 'RS256', undefined))
  assert.equal(findAssertionKey(keys, 'ES256', undefined), undefined)
  assert.equal(findAssertionKey(keys, 'RS256', 'one'), undefined)
  assert.equal(findAssertionKey(keys, 'ES256', 'One'), undefined)
})
