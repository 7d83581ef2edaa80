// Which databases a node may use: those of its own environment and issuer; two ports of a developer's machine
// are one installation, and no other environment on loopback is. Security V14.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameInstallation } from './installation.ts'

const of = (environment: string, issuer: string) => ({ environment, issuer })
const [HERE, THERE] = ['http://localhost:4700/app-auth', 'http://127.0.0.1:4800/app-auth']
const PUBLIC = 'https://connect.example/app-auth'

for (const [recorded, configured, expected] of [
  [of('production', PUBLIC), of('production', PUBLIC), true],
  [of('production', PUBLIC), of('staging', PUBLIC), false],
  [of('production', PUBLIC), of('production', 'https://other.example/app-auth'), false],
  [of('development', HERE), of('development', THERE), true],
  [of('staging', HERE), of('staging', THERE), false],
  [of('development', HERE), of('staging', THERE), false],
  [of('development', HERE), of('development', PUBLIC), false],
] as const) {
  const what = [recorded, configured].map(({ environment, issuer }) => `${environment} ${issuer}`)
  test(`${expected ? 'takes' : 'refuses'} ${what.join(' for ').slice(0, 62)} [V14]`, () => {
    assert.equal(isSameInstallation(recorded, configured), expected, what.join(' for '))
  })
}
