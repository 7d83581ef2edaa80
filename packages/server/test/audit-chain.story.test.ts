// The hash chains of many accounts, built by several nodes at once: each takes slots of its own, and every
// event has one place. docs/decisions/0020, security P07.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { extendChains } from '../src/audit/audit-chain.ts'
import { verifyExport } from '../src/audit/audit-export.ts'
import { readExport } from '../src/audit/audit-export-file.ts'
import { insertEventStatement } from '../src/audit/audit-store.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { type Story, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('builds several accounts on several nodes at once, each event once [P07]', async (t) => {
  const other = await startTestService({}, { beside: story.service })
  t.after(() => other.close())
  const nodes = [story.service.service.db, other.service.db]
  await extendChains(story.service.service.db, story.service.clock(), { settleMs: -1 })
  const now = story.service.clock()
  const accounts = Array.from({ length: 40 }, (_, i) => `acc_parallel${i}`)
  await nodes[0]?.write(
    ...accounts.flatMap((accountId, at) =>
      Array.from({ length: 3 }, (_, i) =>
        insertEventStatement({
          ...{ id: newId('evt', now, systemRandomness()), at: now, accountId, actor: 'nobody' },
          ...{ action: 'parallel', target: `${at} ${i}`, launchId: undefined, ip: 'local' },
          ...{ outcome: 'ok', detail: {} },
        }),
      ),
    ),
  )
  // The leases of half of the slots are another node's.
  const chained = await Promise.all(
    nodes.map((db, i) => extendChains(db, now, { settleMs: -1, firstSlot: 8 * i })),
  )
  assert.equal((chained[0] ?? 0) + (chained[1] ?? 0), 120)
  for (const accountId of accounts) {
    const lines: string[] = []
    for await (const line of readExport(other.service.db, accountId)) lines.push(line.trimEnd())
    const { problems, events } = verifyExport(lines)
    assert.deepEqual([problems, events], [[], 3], accountId)
  }
})
