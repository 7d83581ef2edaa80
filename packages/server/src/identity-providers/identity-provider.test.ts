// What may be registered as the OpenID Connect provider of an account, in production too. Contract §13.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProviderProblems } from './identity-provider.ts'

const GOOD = { issuer: 'https://login.example/a', scopes: 'openid email', authorizeParams: {} }

test('takes an issuer on loopback in development only [A18]', () => {
  assert.deepEqual(listProviderProblems(GOOD, false), [])
  const local = { ...GOOD, issuer: 'http://localhost:4000' }
  assert.deepEqual(listProviderProblems(local, true), [])
  for (const issuer of ['http://localhost:4000', 'https://localhost:4000', 'https://127.0.0.1']) {
    const [problem] = listProviderProblems({ ...GOOD, issuer }, false)
    assert.equal(problem?.field, '/issuer', issuer)
  }
})

test('names the field that is wrong: issuer, scopes, a parameter of the service', () => {
  const problems = (fields: object) =>
    listProviderProblems({ ...GOOD, ...fields }, false).map(({ field }) => field)
  assert.deepEqual(problems({ scopes: 'openid2 email' }), ['/scopes'])
  assert.deepEqual(problems({ issuer: 'https://login.example?' }), ['/issuer'])
  const authorizeParams = { nonce: 'x', max_age: '1', domain_hint: 'lakeside.example' }
  assert.deepEqual(problems({ authorizeParams }), [
    '/authorizeParams/nonce',
    '/authorizeParams/max_age',
  ])
})
