// What the threat model says was shown names the commit that ran and how much of it there was. A result of another
// catalog than the present one fails here, so that it is run again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MODULES } from '../conformance/src/catalog.ts'
import { ATTACKS } from './faults/attacks.ts'
import { FAULTS } from './faults/faults.ts'
import type { FaultReport } from './faults/report.ts'
import { MUTANTS } from './mutants/catalog.ts'
import type { Results } from './mutants/results.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = read('../docs/inside/threat-model.md')

test('quotes the stored result of every planted fault of the catalog', () => {
  const { commit, planted, changing, caught }: Results = JSON.parse(read('mutants/results.json'))
  assert.equal(planted, MUTANTS.length, 'run npm run tool -- mutants')
  assert.ok(page.includes(`| ${caught} of ${changing} at commit ${commit.slice(0, 8)} |`))
})

test('quotes the stored result of every attack and injected fault', () => {
  const { attacks, commit, faults }: FaultReport = JSON.parse(read('faults/results.json'))
  const names = [...attacks, ...faults].map(({ name }) => name)
  const present = [...ATTACKS, ...FAULTS].map(({ name }) => name)
  assert.deepEqual(names, present, 'run npm run tool -- faults --save')
  const held = [...attacks, ...faults].filter(({ isMet }) => isMet).length
  assert.ok(page.includes(`| ${held} of ${names.length} hold at commit ${commit.slice(0, 8)} |`))
})

test('names commit and number of conformance modules and fuzzed cases', () => {
  const modules = /\| (\d+) conformance modules \| none fails at commit [0-9a-f]{8} \|/.exec(page)
  assert.equal(modules?.[1], String(MODULES.length), 'run npm run tool -- conformance')
  assert.match(page, /\| [\d,]+ fuzzed cases \| none fails at commit [0-9a-f]{8} \|/)
})
