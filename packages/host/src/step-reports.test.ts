// What the host reports with the handshake: versions and times of a page, bounded as the service takes
// them, and without them to a service that does not know them. Contract §5; security X06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPageReport, createServiceClient } from './service.ts'
import { StepReports } from './step-reports.ts'

const timings = { responseStartMs: 81, responseEndMs: 90, domContentLoadedMs: 0, helloMs: 412 }
const hello = {
  ...({ type: 'chartside:hello', versions: [1], nonce: 'n' } as const),
  ...{ sdkVersion: '1.0.0', timings },
}

/** Reports a handshake to a service with these answers. Gives the bodies that it got. */
async function report(...statuses: number[]): Promise<object[]> {
  const bodies: object[] = []
  const service = createServiceClient({
    ...{ service: 'https://service.example', sessionToken: 'st_1', sessionId: 'ses_1' },
    fetch: async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      return new Response(null, { status: statuses.shift() ?? 204 })
    },
  })
  const reports = new StepReports(service, 'lau_1')
  reports.sendHandshake(hello, 'Extension 1.2.0')
  reports.sendHandshake(hello, 'Extension 1.2.0')
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  return bodies
}

const plain = { step: 'handshake', outcome: 'ok' }

test('reports versions and times of the page once, with the handshake', async () => {
  const page = { hostVersion: 'Extension 1.2.0', sdkVersion: '1.0.0', timings }
  assert.deepEqual(await report(), [{ ...plain, page }])
})

test('reports the handshake alone to a service that does not know the page', async () => {
  const bodies = await report(400)
  assert.deepEqual([bodies.length, bodies[1]], [2, plain])
})

test('repeats no report that failed for another reason', async () => {
  for (const status of [401, 404, 429, 500, 503]) assert.equal((await report(status)).length, 1)
})

test('leaves out a version that the service would refuse [X06]', () => {
  for (const sdkVersion of ['<script>', 'v'.repeat(65), 'a\u202eb', '1.0\n']) {
    assert.deepEqual(buildPageReport(undefined, { sdkVersion }), {})
  }
  assert.deepEqual(buildPageReport('<b>', { sdkVersion: '1.0.0' }), { sdkVersion: '1.0.0' })
})
