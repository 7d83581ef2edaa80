// How many pre-flights run at once, for a person, an account and the node: one developer with pages that never answer
// takes the slots of no other. Security V35.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { RequestRefused } from '../http/admission/request-refused.ts'
import { pageVisitor } from './page-visitor.ts'

/** Takes connections and never answers. */
const silent = createServer(() => {})
let url: string
before(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  url = `http://localhost:${(silent.address() as AddressInfo).port}/`
})
after(() => silent.close())

const visitor = () =>
  pageVisitor(
    {
      resolve: async () => [],
      allowsLoopback: true,
      allowsAnyPort: true,
      clock: Date.now,
      ownOrigins: new Set(),
      refusalGridMs: 0,
    },
    300,
  )

test('runs one pre-flight of a person at a time, and two of an account [V35]', async () => {
  const { visit } = visitor()
  const from = (person: string, account: string) => visit([url], new Set(), { person, account })
  const running = [from('usr_1', 'acc_1'), from('usr_2', 'acc_1')]
  await assert.rejects(from('usr_1', 'acc_2'), RequestRefused)
  await assert.rejects(from('usr_3', 'acc_1'), RequestRefused)
  const other = from('usr_4', 'acc_2')
  for (const [visited] of await Promise.all([...running, other])) {
    assert.equal(visited?.problem?.code, 'timed_out')
  }
  await from('usr_1', 'acc_1')
})

test('runs four pre-flights of different people at once on a node', async () => {
  const { visit } = visitor()
  const startedAt = performance.now()
  const ended = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      await visit([url], new Set(), { person: `usr_${i}`, account: `acc_${i}` })
      return performance.now() - startedAt
    }),
  )
  const atOnce = ended.filter((ms) => ms < 550).length
  assert.equal(atOnce, 4, ended.join())
})
