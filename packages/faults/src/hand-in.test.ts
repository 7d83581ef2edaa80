// Where a run is handed in, and what each refusal says to do. The answers come from a server on loopback.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Intake, pageOfRun, parseIntake, requireIntake } from './hand-in.ts'

const env = { CHARTSIDE_SESSION_TOKEN: 'st_1' }
const there = { handIn: 'https://staging.example/base/', appId: 'app_1' }

test('takes address and app together, and the token from the environment', () => {
  assert.equal(parseIntake({}, env), undefined)
  const intake = parseIntake(there, env)
  assert.deepEqual(intake, {
    baseUrl: 'https://staging.example/base',
    appId: 'app_1',
    token: 'st_1',
  })
  assert.equal(
    pageOfRun(intake as Intake, { id: 'frn_1' }),
    'https://staging.example/base/console/apps/app_1/fault-runs/frn_1',
  )
  assert.throws(() => parseIntake({ handIn: there.handIn }, env), /--app-id/)
  assert.throws(() => parseIntake({ appId: 'app_1' }, env), /--hand-in/)
  const both = { ...env, CHARTSIDE_DEVELOPER_KEY: 'dk_1' }
  assert.equal(parseIntake(there, both)?.token, 'dk_1', 'the key comes first')
  const wrong = { CHARTSIDE_DEVELOPER_KEY: 'cs_1' }
  assert.throws(() => parseIntake(there, wrong), /no developer key \(dk_…\)/)
  assert.throws(() => parseIntake(there, {}), /CHARTSIDE_DEVELOPER_KEY/)
  assert.throws(() => parseIntake({ ...there, handIn: 'http://staging.example' }, env), /https/)
})

test('says of each refusal what to do, and never names the token', async () => {
  const answers: [number, string][] = [
    [401, '{"detail":"Sign in."}'],
    [403, '{"detail":"Not you."}'],
    [404, '{"detail":"No such app."}'],
    [409, '{"detail":"This is production."}'],
    [502, '<html>'],
    [302, ''],
  ]
  const left = [...answers]
  const server = createServer((_request, response) => {
    const [status, body] = left.shift() ?? [500, '']
    response.writeHead(status, { location: 'https://elsewhere.example/' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refusal = () =>
    requireIntake({ baseUrl, appId: 'app_1', token: 'st_secret' }).then(
      () => 'taken',
      ({ message }: Error) => message,
    )
  const said: string[] = []
  for (const _ of answers) said.push(await refusal())
  await new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  said.push(await refusal())
  const expected = [
    ...[
      /401\. Sign in\. .*CHARTSIDE_DEVELOPER_KEY.*CHARTSIDE_SESSION_TOKEN/,
      /403\. Not you\. Only developers/,
    ],
    ...[/404\. No such app\. Look at --app-id/, /409\. This is production\.$/],
    ...[/502\. Look at --hand-in/, /302\. Look at --hand-in/, /does not answer \(\w+\)/],
  ]
  for (const [index, text] of said.entries()) {
    assert.match(text, expected[index] ?? /^$/)
    assert.doesNotMatch(text, /st_secret/)
  }
})
