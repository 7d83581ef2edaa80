// A trace that the collector is not sent costs nothing but the decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTelemetry } from './opentelemetry.ts'

test('a request has a span only when its trace is sent', async () => {
  const open = (share: number) =>
    openTelemetry({
      ...{ endpoint: 'http://127.0.0.1:9', share, perSecond: 10, environment: 'development' },
      ...{ baseUrl: 'https://connect.example', databaseUrl: 'file:x' },
      instance: { name: 'node', version: '1.0.0' },
      monotonic: () => 0,
      log: { warn() {} },
    })
  const [none, every] = [open(0), open(1)]
  assert.equal(none.begin('4bf92f3577b34da6a3ce929d0e0e4736', 'GET', undefined), undefined)
  assert.ok(every.begin('4bf92f3577b34da6a3ce929d0e0e4736', 'GET', undefined))
  await Promise.all([none.close(), every.close()])
})
