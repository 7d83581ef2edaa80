// Stops the real service with SIGTERM under load, as a rolling deployment does, and starts it again.
// It completes every request that it has accepted, so that no code is redeemed without an answer.
// Security F03.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from './launch-load.ts'
import { ADMIN, startService } from './service-process.ts'
import { exchange, setUpPractice } from './story-verbs.ts'

const ROUNDS = 5
const STOPS_WITHIN_MS = 2000
const dataDir = mkdtempSync(join(tmpdir(), 'chartside-stop-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

test('SIGTERM under load answers every exchange that it carries out [F03]', async () => {
  let answered = 0
  let cut = 0
  let lost = 0
  let service = await startService({ dataDir })
  try {
    const practice = await setUpPractice(service.baseUrl, ADMIN)
    for (let round = 1; round <= ROUNDS; round++) {
      const load = startLoad(practice, round)
      await sleep(300)
      const began = performance.now()
      const ending = await service.end('SIGTERM')
      const tookMs = performance.now() - began
      const facts = await load.stop()
      assert.ok(tookMs <= STOPS_WITHIN_MS, `stopping took ${tookMs} ms`)
      assert.deepEqual(ending, { code: 0, signal: null }, service.output())
      service = await startService({ dataDir, port: service.port })
      answered += facts.redeemed.length + facts.revokedTokens.length
      cut += facts.unknownCodes.length
      for (const code of facts.unknownCodes) {
        if ((await exchange(practice, code)).status !== 200) lost += 1
      }
      // 503 with Retry-After is how a stopping node declines what it has not taken up.
      const surprises = facts.surprises.filter((text) => !/503|temporarily_unavailable/.test(text))
      assert.deepEqual(surprises, [])
    }
  } finally {
    await service.discard()
  }
  console.log(
    `${ROUNDS} stops, exchanges answered: ${answered}, cut off: ${cut}, of these spent: ${lost}`,
  )
  assert.ok(answered > 20)
  assert.equal(lost, 0, 'codes were spent, and the answers that carried their tokens were cut off')
})
