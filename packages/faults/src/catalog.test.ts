// The catalog of faults: names that reports can cite, and the table of the README.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { STEPS } from '@chartside/protocol/fault-grade'
import { FAULTS } from './catalog.ts'

test('names each fault once, in the order of a launch', () => {
  const names = FAULTS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.length >= 30)
  const steps = FAULTS.map(({ step }) => STEPS.indexOf(step))
  assert.deepEqual(steps, steps.toSorted())
  for (const { name, checks } of FAULTS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/)
    assert.ok(checks.length > 0, name)
  }
})

test('judges every fault of the exchange by the code, the words and the next launch', () => {
  for (const { name, checks } of FAULTS.filter(({ step }) => step === 'exchange')) {
    const asked = checks.map((check) => check.name)
    for (const each of ['sends-a-code-once', 'plain-words', 'opens-again']) {
      assert.ok(asked.includes(each), `${name} is not judged by ${each}`)
    }
  }
})

test('stands in the README with every fault', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = FAULTS.map(({ name, title, by }) => `| \`${name}\` | ${title} | ${by} |`)
  assert.deepEqual(
    rows.filter((row) => !readme.includes(row)),
    [],
  )
})
