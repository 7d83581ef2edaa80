// The verdict of a launch for every reason of the service and every code of a host: a sentence, evidence, what
// to do and who can do it. Texts, and who can act, come from the service.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { Launch, LaunchSpan, LaunchStep } from '@chartside/protocol/payloads'
import {
  buildCurl,
  buildReport,
  describeRequest,
} from '../packages/console/src/pages/launches/request.ts'
import {
  MAX_ROWS,
  mergeLaunch,
  pollFrom,
  signatureOf,
} from '../packages/console/src/pages/launches/tail-rules.ts'
import { decideVerdict } from '../packages/console/src/pages/launches/verdict.ts'
import { SERVICE_SDK_ERROR_CODES } from '../packages/protocol/src/handshake.ts'
import { decideResponsible, REASONS, type Reason } from '../packages/server/src/kernel/reasons.ts'

type Explained = (typeof REASONS)[Reason]

const AT = '2026-03-01T12:00:00.000Z'
const LAUNCH: Launch = {
  id: 'lau_1',
  app: { id: 'app_1', name: 'Visit Notes' },
  kind: 'ui',
  account: { id: 'acc_1', name: 'Lakeside' },
  userId: 'usr_1',
  sessionId: 'ses_1',
  ehrType: 'meadow',
  deviceId: 'room-2',
  state: 'authorized',
  outcome: 'failed',
  createdAt: AT,
  expiresAt: AT,
  failureCount: 1,
  steps: [],
  spans: [],
}

const span = (name: LaunchSpan['span'], fields: Partial<LaunchSpan>): LaunchSpan => ({
  ...{ span: name, party: 'service', outcome: 'ok', durationMs: 5 },
  ...fields,
})

function failWith(
  reason: string,
  step: LaunchStep['step'],
  fields: Partial<LaunchStep> = {},
): Launch {
  const { cause, fix } = REASONS[reason as Reason] ?? { cause: 'Unknown.', fix: 'Look it up.' }
  const explained = { cause, fix }
  const failed = {
    reason,
    ...explained,
    who: decideResponsible(reason, fields.code),
    traceId: 'trace',
    code: 'invalid_grant',
    ...fields,
  }
  const spans = { authorize: 'authorize', exchange: 'exchange', handshake: 'hello' } as const
  const at = step in spans ? spans[step as keyof typeof spans] : 'context'
  return {
    ...LAUNCH,
    steps: [{ step, at: AT, outcome: 'failed', ...failed }],
    spans: [
      span('open', {}),
      span(at, { outcome: 'failed', reason, ...explained, who: failed.who, traceId: 'trace' }),
    ],
  }
}

for (const [reason, { who }] of Object.entries(REASONS) as [Reason, Explained][]) {
  test(`gives a verdict on ${reason}`, () => {
    const step = /code|secret|assertion|verifier|client_mismatch|page|redirect_uri_m/.test(reason)
      ? 'exchange'
      : reason === 'host_reported'
        ? 'handshake'
        : 'authorize'
    const verdict = decideVerdict(failWith(reason, step))
    assert.equal(verdict.who, who)
    assert.equal(verdict.cause, REASONS[reason].cause, 'the text of the service')
    assert.match(verdict.title, /^Visit Notes failed at [A-Z].*: it (was|could|never|did)/)
    assert.ok(verdict.steps.length > 0 && verdict.steps.every((text) => text.length > 5))
    assert.match(verdict.steps.join(' '), /again|anew|errors\.md|enables it|failure|still good/i)
    assert.equal(verdict.reason, reason)
    assert.equal(verdict.place === 'secrets', reason.startsWith('secret_'))
    assert.ok(verdict.evidence.some(({ isGood }) => isGood === true))
    const stop = verdict.evidence.find(({ value }) => value === 'stopped here')
    assert.equal(stop?.isGood, false, 'the step that failed is among the evidence')
  })
}

test('says of an exchange without credentials that none were sent', () => {
  const credentialsOf = (reason: string, fields: Partial<LaunchStep> = {}) =>
    decideVerdict(failWith(reason, 'exchange', fields)).evidence.find(
      ({ name }) => name === 'Credentials of the client',
    )?.value
  assert.equal(credentialsOf('secret_wrong'), 'none were sent')
  assert.equal(credentialsOf('assertion_malformed'), 'an assertion that cannot be read')
  const client = { address: '192.0.2.1', method: 'client_secret_post', encoding: 'form' } as const
  assert.equal(credentialsOf('secret_wrong', { client }), undefined)
  assert.equal(credentialsOf('code_unknown'), undefined)
})

for (const code of SERVICE_SDK_ERROR_CODES) {
  test(`gives a verdict on the host's ${code}`, () => {
    const verdict = decideVerdict(failWith('host_reported', 'handshake', { code }))
    const who = { LAUNCH_ENDED: 'provider', PROTOCOL_MISMATCH: 'operator' }[code as string]
    assert.equal(verdict.who, who ?? 'developer')
    const isGuess = code === 'HANDSHAKE_TIMEOUT'
    assert.equal(verdict.tone, isGuess ? 'warn' : 'bad')
    assert.ok(verdict.steps.length >= (isGuess ? 3 : 1))
  })
}

test('gives a verdict on a reason of a later version', () => {
  const verdict = decideVerdict(failWith('reason_of_tomorrow', 'exchange'))
  assert.deepEqual([verdict.who, verdict.cause], ['developer', 'Unknown.'])
})

test('says of a launch without a failure what it does or how it ended', () => {
  const steps: LaunchStep[] = [
    { step: 'created', at: AT, outcome: 'ok' },
    { step: 'context', at: '2026-03-01T12:00:01.400Z', outcome: 'ok' },
  ]
  const running = [span('open', { outcome: 'running' })]
  const opening = decideVerdict({ ...LAUNCH, outcome: 'opening', spans: running })
  assert.match(opening.cause, /Waits for: Frame/)
  const ready = decideVerdict({ ...LAUNCH, outcome: 'ready', steps })
  assert.equal(ready.cause, 'Ready after 1.4 s.')
  const ended = { at: AT, reason: 'idle' } as const
  const idle = decideVerdict({ ...LAUNCH, outcome: 'ended', steps, ended })
  assert.equal(idle.cause, 'Ready after 1.4 s. The provider was not active for too long.')
})

test('shows sent beside registered values, and who called with which secret', () => {
  const sent = [{ name: 'redirect_uri', value: 'https://a.example/x' }]
  const registered = [{ name: 'redirect_uri', value: 'https://a.example/y' }]
  const wrong = decideVerdict(
    failWith('redirect_uri_unregistered', 'authorize', { sent, registered }),
  )
  assert.deepEqual(
    wrong.evidence.slice(0, 2).map(({ value, isGood }) => [value, isGood]),
    [
      ['https://a.example/x', false],
      ['https://a.example/y', null],
    ],
  )
  const client = {
    ...({ address: '203.0.113.20', country: 'US', encoding: 'json' } as const),
    method: 'client_secret_post',
    secret: { state: 'retired', label: 'Production 2025', retiredAt: AT },
  } as const
  const retired = decideVerdict(failWith('secret_retired', 'exchange', { client }))
  assert.deepEqual(
    retired.evidence.slice(0, 3).map(({ value, isGood }) => [value, isGood]),
    [
      ['a retired secret of this app “Production 2025”, since 2026-03-01 12:00 UTC', false],
      ['203.0.113.20, US', null],
      ['client_secret_post', true],
    ],
  )
})

test('writes a command in which no value of a stranger becomes a command', () => {
  const hostile = "x'; rm -rf ~ #$(id)`id`\n"
  const step: LaunchStep = {
    ...({ step: 'exchange', at: AT, outcome: 'failed', code: 'invalid_client' } as const),
    sent: [
      { name: 'grant_type', value: 'authorization_code' },
      { name: 'redirect_uri', value: hostile },
      { name: 'client_secret', value: 'cs_… (68 characters)' },
    ],
  }
  const command = buildCurl(step, 'https://chartside.example')
  // A shell reads it, with a function in place of curl.
  const script = `curl() { printf '[%s]' "$@"; }; CLIENT_SECRET=s; ${command}`
  const { stdout, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  assert.equal(status, 0)
  const words = ['-i', 'https://chartside.example/app-auth/token']
  const data = ['grant_type=authorization_code', `redirect_uri=${hostile}`, 'client_secret=s']
  const all = [...words, ...data.flatMap((text) => ['--data-urlencode', text])]
  assert.equal(stdout, all.map((word) => `[${word}]`).join(''))
  assert.match(command, /client_secret="\$CLIENT_SECRET"/)
  assert.equal(command.includes('68 characters'), false)
  assert.match(describeRequest(step), /POST \/app-auth\/token/)
})

test('copies a report with what a ticket needs', () => {
  const launch = failWith('secret_wrong', 'exchange')
  const report = buildReport(launch, decideVerdict(launch), 'https://c.example/console/x')
  for (const part of ['Visit Notes', 'app_1', 'trace', 'secret_wrong', '2026-03-01', 'lau_1']) {
    assert.ok(report.includes(part), part)
  }
})

test('keeps the rows of a live list in order, replaced in place and bounded', () => {
  const at = (n: number, fields: Partial<Launch> = {}): Launch => ({
    ...LAUNCH,
    ...{ id: `lau_${String(n).padStart(4, '0')}`, createdAt: new Date(n * 1000).toISOString() },
    ...fields,
  })
  let rows: readonly Launch[] = []
  for (const n of [3, 1, 2, 5, 4]) rows = mergeLaunch(rows, at(n))
  assert.deepEqual(
    rows.map(({ id }) => Number(id.slice(4))),
    [5, 4, 3, 2, 1],
  )
  const ready = at(3, { outcome: 'ready' })
  rows = mergeLaunch(rows, ready)
  assert.deepEqual([rows.length, rows[2]], [5, ready])
  assert.notEqual(signatureOf(at(3)), signatureOf(ready))
  for (let n = 10; n < 400; n++) rows = mergeLaunch(rows, at(n))
  assert.deepEqual([rows.length, rows[0]?.id], [MAX_ROWS, 'lau_0399'])
  assert.equal(pollFrom(rows, 400_000), rows[0]?.createdAt)
  const opening = mergeLaunch(rows, at(390, { outcome: 'opening' }))
  assert.equal(pollFrom(opening, 400_000), new Date(390_000).toISOString())
  assert.equal(pollFrom(opening, 999_000), opening[0]?.createdAt, 'not one that opens for ever')
  assert.equal(pollFrom([], 0), undefined)
})

test('a launch that expired on its way says what to try, not that all is well', () => {
  const spans = [span('open', {}), span('load', { outcome: 'failed' })]
  const ended = { at: AT, reason: 'expired' } as const
  const verdict = decideVerdict({ ...LAUNCH, outcome: 'ended', state: 'expired', ended, spans })
  assert.equal(verdict.tone, 'warn')
  assert.equal(verdict.title, 'Visit Notes failed at Page load: it never asked for authorization')
  assert.equal(verdict.who, 'developer')
  assert.match(verdict.steps[0] ?? '', /^Open the Launch URL/)
})
