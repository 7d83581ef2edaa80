// What an app gets of a chart. Contract §11; security V40.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createChartReferences } from './chart-references.ts'
import { openReady, settle, startHost } from './host-fixture.ts'

test('makes references with HMAC-SHA-256 of app and chart, 22 characters [V40]', async () => {
  const references = createChartReferences('key')
  const expected = createHmac('sha256', 'key').update('app_1\n7').digest('base64url').slice(0, 22)
  assert.equal(await references.find('app_1', '7'), expected)
  assert.equal(await references.find('app_1', null), null)
  assert.notEqual(await references.find('app_2', '7'), expected)
  assert.notEqual(await createChartReferences().find('app_1', '7'), expected)
})

test('sends the reference of the chart after ready, with a new seq at each change', async (t) => {
  const fixture = startHost(t)
  fixture.host.setChart('patient-A')
  const { app } = await openReady(fixture)
  // The reference is computed in another thread, which a busy machine may keep waiting.
  const until = performance.now() + 5_000
  while (app.received.length < 2 && performance.now() < until) await settle()
  const [ready, first] = app.received as { type: string; seq: number; ref: string }[]
  assert.equal(ready?.type, 'ready')
  assert.deepEqual([first?.type, first?.seq], ['chart', 1])
  assert.match(first?.ref ?? '', /^[\w-]{22}$/)
  assert.doesNotMatch(JSON.stringify(app.received), /patient-A/)
})

test('sends no chart to an app while the page does not name one', async (t) => {
  const { app } = await openReady(startHost(t))
  assert.deepEqual(
    app.received.map((message) => (message as { type: string }).type),
    ['ready'],
  )
})
