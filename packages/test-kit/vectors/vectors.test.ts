// The published vectors equal the output of their generator and cover each requirement.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ID_TOKEN_KINDS, idTokenKinds } from '../src/index.ts'
import { buildChartVectors } from './chart-vectors.ts'
import { buildIdTokenVectors } from './id-token-vectors.ts'
import { buildStateVectors } from './state-vectors.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

for (const [name, build] of [
  ['chart.json', buildChartVectors],
  ['id-token.json', buildIdTokenVectors],
  ['state.json', buildStateVectors],
] as const) {
  test(`equals the output of the generator byte by byte: ${name}`, () => {
    assert.equal(read(name), `${JSON.stringify(build(), null, 2)}\n`)
  })
}

test('has a vector for each kind of ID token and a rejection for each requirement', () => {
  const { vectors } = buildIdTokenVectors()
  const tokens = new Set(vectors.map(({ token }) => token))
  assert.ok(vectors.length > idTokenKinds.length)
  assert.ok(tokens.size >= idTokenKinds.length)
  for (const requirement of ['R01', 'R02', 'R03', 'R11']) {
    const ours = vectors.filter((vector) => vector.requirement === requirement)
    assert.ok(
      ours.some(({ result }) => result === 'reject'),
      requirement,
    )
  }
  assert.ok(idTokenKinds.some((kind) => ID_TOKEN_KINDS[kind].reason === null))
})

test('has a callback vector for each rejection of spec §7', () => {
  const errors = buildStateVectors().vectors.map(({ result }) => 'error' in result && result.error)
  for (const error of ['Missing OAuth parameters', 'CSRF validation failed', 'issuer_mismatch']) {
    assert.ok(errors.includes(error))
  }
})
