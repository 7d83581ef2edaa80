// The suite against oidc-provider with forty planted faults: each fails the module that is about it, and no other but
// those that meet it on their way. A provider that others wrote keeps the suite from knowing only our own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startFaultyProxy } from './faulty-proxy.ts'
import { PEER_PLACES, type Peer, startPeer } from './peer.ts'
import { PEER_FAULTS, type PeerFault } from './peer-faults.ts'
import { explain, type Ran, runSuite } from './run.ts'

async function runWith(fault?: PeerFault): Promise<Ran> {
  let peer: Peer | undefined
  const proxy = await startFaultyProxy(async (origin) => {
    peer = await startPeer({}, {}, origin)
    return peer
  })
  if (fault) proxy.plant(fault.plant(PEER_PLACES))
  try {
    return await runSuite(...(peer?.args ?? []))
  } finally {
    await proxy.stop()
  }
}

test('fails nothing of oidc-provider behind the proxy', async () => {
  const ran = await runWith()
  assert.deepEqual(ran.failed, [], explain(ran))
})

test('plants forty faults at least, each with its own title', () => {
  assert.ok(new Set(PEER_FAULTS.map(({ title }) => title)).size >= 40)
  assert.ok(PEER_FAULTS.every(({ finds }) => finds.length > 0))
})

/** A run mostly waits for codes to age. */
describe('of oidc-provider with a fault', { concurrency: 4 }, () => {
  for (const fault of PEER_FAULTS) {
    test(`finds ${fault.title}`, async () => {
      const ran = await runWith(fault)
      assert.deepEqual(ran.failed, fault.finds, explain(ran))
    })
  }
})
