// The terminal of the sandbox: arguments, readable lines, their order, and ports in use.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { parseManifest } from '@chartside/protocol/app-manifest'
import type { Launch } from '@chartside/protocol/launch'
import {
  choosePaint,
  formatEntry,
  formatState,
  formatStep,
  type LogEntry,
  PLAIN,
  parseServiceLine,
} from '../src/log-lines.ts'
import { LogOrder } from '../src/log-order.ts'
import { parseOptions, UsageError } from '../src/options.ts'
import { choosePlaces, requireFreePorts } from '../src/places.ts'

const DEFAULTS = {
  help: false,
  reset: false,
  port: 4700,
  apps: [],
  only: null,
  extension: false,
  realSize: null,
}

test('parses port, reset, help and the apps to start', () => {
  assert.deepEqual(parseOptions([]), DEFAULTS)
  const changed = { ...DEFAULTS, reset: true, port: 4800 }
  assert.deepEqual(parseOptions(['--port', '4800', '--reset']), changed)
  assert.equal(parseOptions(['-h']).help, true)
  assert.equal(parseOptions(['--extension']).extension, true)
  assert.equal(parseOptions(['--real-size']).realSize, 20_000)
  assert.equal(parseOptions(['--real-size', '300']).realSize, 300)
  const apps = parseOptions(['--app', '../one', '--only', 'visit-notes, care-gaps', '--app', 'two'])
  assert.deepEqual(apps.apps, ['../one', 'two'])
  assert.deepEqual(apps.only, ['visit-notes', 'care-gaps'])
})

test('refuses an invalid port and an unknown option', () => {
  for (const args of [
    ['--port', '80'],
    ['--real-size', '0'],
    ['--real-size', 'many'],
    ['--port', '65533'],
    ['--port', 'x'],
    ['--nope'],
    ['x'],
  ]) {
    assert.throws(() => parseOptions(args), UsageError)
  }
})

test('names each port in use, its purpose, and another port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const app = {
    name: 'My App',
    kinds: ['ui'],
    launchUrl: '{origin}/launch',
    redirectUris: ['{origin}/callback'],
    port,
  }
  const free = await choosePlaces(0, [parseManifest(app, '../my-app')])
  const places = { ...free, ehr: { ...free.ehr, port } }
  await assert.rejects(requireFreePorts(places), (error: Error) => {
    assert.match(error.message, new RegExp(`port ${port} \\(the sample EHR\\)`))
    assert.match(error.message, new RegExp(`port ${port} \\(My App\\)`))
    assert.match(error.message, /npm start -- --port/)
    return true
  })
  server.close()
})

test('gives each origin of each app its own port and host name', async () => {
  const visitNotes = {
    name: 'Visit Notes',
    kinds: ['ui'],
    launchUrl: '{origin}/launch',
    redirectUris: ['{origin.provider}/callback'],
    origins: ['provider'],
  }
  const { service, ehr, apps } = await choosePlaces(4700, [parseManifest(visitNotes, 'x')])
  assert.deepEqual([service.port, ehr.port, apps[0]?.port], [4700, 4701, 4702])
  assert.deepEqual(apps[0]?.origins, {
    origin: 'http://visit-notes.chartside.localhost:4702',
    'origin.provider': 'http://provider.visit-notes.chartside.localhost:4703',
  })
})

test('formats a service line as one short line, without unknown fields', () => {
  const line = JSON.stringify({
    level: 30,
    time: 0,
    msg: 'EHR session opened',
    account: 'Lakeside',
    pid: 7,
    unknown: { deep: true },
  })
  const { entry, launch, isDebug } = parseServiceLine(line, 1)
  assert.equal(entry.text, 'EHR session opened  Lakeside')
  assert.equal(entry.at, 0)
  assert.equal(launch, null)
  assert.equal(isDebug, false)
})

test('accepts times and levels as text, and lines that are not JSON', () => {
  const time = '2026-03-02T09:00:00.000Z'
  const named = parseServiceLine(JSON.stringify({ level: 'debug', time, launch: 'lau_1' }), 1)
  assert.equal(named.entry.at, Date.parse(time))
  assert.equal(named.launch, 'lau_1')
  assert.equal(named.isDebug, true)
  for (const line of ['plain text', '{broken', '']) {
    assert.equal(parseServiceLine(line, 5).entry.text, line)
  }
})

const launch = { app: { name: 'Visit Notes' }, spans: [], steps: [] } as unknown as Launch

test('writes cause, fix and trace id below a failed step', () => {
  const entry = formatStep(launch, {
    step: 'exchange',
    at: '2026-03-02T09:00:00.000Z',
    outcome: 'failed',
    code: 'invalid_grant',
    reason: 'code_replayed',
    cause: 'Spent.',
    fix: 'Launch again.',
    traceId: 'abc',
  })
  const [head, ...details] = formatEntry(entry, PLAIN).split('\n')
  assert.match(head ?? '', /Visit Notes: exchange failed, invalid_grant \(code_replayed\)$/)
  assert.deepEqual(
    details.map((line) => line.trim()),
    ['cause: Spent.', 'fix: Launch again.', 'trace: abc'],
  )
})

test('writes the state of a launch in the words of the panel, with durations', () => {
  const steps = [{ step: 'context', at: '2026-03-02T09:00:01.400Z', outcome: 'ok' }] as const
  const view = { ...launch, createdAt: '2026-03-02T09:00:00.000Z', steps: [...steps] } as Launch
  const line = formatEntry(formatState(view, { kind: 'ready' }), PLAIN)
  assert.match(line, /^\d+:00:01\s[AP]M \S+ +launch +✓ Visit Notes: Ready in 1\.4 s$/)
  const { text, level } = formatState(view, { kind: 'failed', step: 'Exchange' })
  assert.deepEqual([text, level], ['✕ Visit Notes: Failed at Exchange', 'error'])
})

test('shows the trace of a problem only', () => {
  const at = (level: number) =>
    parseServiceLine(JSON.stringify({ level, time: 1, msg: 'x', traceId: 'abc' }), 1).entry.details
  assert.deepEqual([at(30), at(40)], [[], ['trace: abc']])
})

test('colours lines on a terminal only, and never with NO_COLOR', () => {
  assert.equal(choosePaint(false, {}), PLAIN)
  assert.equal(choosePaint(true, { NO_COLOR: '1' }), PLAIN)
  assert.notEqual(choosePaint(true, { NO_COLOR: '' }), PLAIN)
})

test('sorts lines by time and writes one failure once', () => {
  const written: string[] = []
  const order = new LogOrder(({ text }) => written.push(text))
  const entry = (at: number, source: string, text: string, traceId?: string): LogEntry => ({
    source,
    level: 'info',
    at,
    text,
    details: [],
    ...(traceId ? { traceId } : {}),
  })
  order.add(entry(3, 'service', 'refused', 'abc'))
  order.add(entry(2, 'launch', 'exchange failed', 'abc'))
  order.add(entry(1, 'launch', 'code issued'))
  order.add(entry(4, 'service', 'refused otherwise', 'def'))
  order.flush()
  assert.deepEqual(written, ['code issued', 'exchange failed', 'refused otherwise'])
})

test('sends no escape sequence of an app or its name to the terminal [V11]', () => {
  const hostile = 'Notes\u001b[2J\u001b]0;title\u0007\nready'
  const text = formatEntry(
    { source: hostile, level: 'info', at: 0, text: hostile, details: [hostile] },
    PLAIN,
  )
  assert.equal(text.includes('\u001b') || text.includes('\u0007'), false)
  assert.equal(text.split('\n').length, 2, 'only its own line ends')
})
