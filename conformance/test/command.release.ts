// The command line: help, list, wrong arguments, what is refused, exit codes, colours, escaping. No
// service runs here, apart from one that answers nonsense.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chooseModules, MODULES } from '../src/catalog.ts'
import { variantsOf } from '../src/modules/redirect-uris.ts'
import { parseOptions } from '../src/options.ts'
import { redact } from '../src/redaction.ts'
import { buildHtml } from '../src/report/html.ts'
import { buildReport } from '../src/report/report.ts'
import { TerminalReport } from '../src/report/terminal.ts'
import type { ModuleResult } from '../src/runner.ts'
import { runPlain } from './run.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('prints its help with every option, and exits with 0', async () => {
  const { code, printed } = await runPlain('--help')
  assert.equal(code, 0)
  const options = ['base-url', 'issuer', 'email', 'password', 'client-id', 'client-secret']
  options.push('redirect-uri', 'other-client-id', 'other-client-secret', 'account-id', 'ehr-type')
  options.push('login-script', 'list', 'only', 'json', 'html', 'allow-remote', 'max-requests')
  options.push('timeout-seconds', 'code-reuse-wait-seconds', 'help')
  for (const option of options) assert.ok(printed.includes(`--${option}`), option)
})

test('runs as a program from source', () => {
  const { status, stdout } = spawnSync(process.execPath, [MAIN, '--list', '--only', 'rfc9207*'])
  assert.equal(status, 0)
  assert.match(String(stdout), /^rfc9207-iss-in-success\n {4}\S.*\n {4}RFC 9207, 2\nrfc9207-iss-in/)
})

test('names what is wrong with arguments, and exits with 2', async () => {
  const wrong: [string[], RegExp][] = [
    [[], /Give --base-url/],
    [['--base-url', 'ftp://localhost'], /not an http or https address/],
    [['--issuer', 'http://localhost:1'], /--client-id/],
    [['--base-url', 'http://localhost:1', '--client-id', 'x'], /belong together/],
    [['--base-url', 'http://localhost:1', '--only', 'no-such-module'], /no-such-module.*--list/],
    [['--base-url', 'http://localhost:1', '--max-requests', 'many'], /positive number/],
    [['--unknown'], /--unknown/],
  ]
  for (const [args, message] of wrong) {
    const { code, errors } = await runPlain(...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(errors, message)
  }
})

test('refuses a service off this machine unless the person allows it', async () => {
  for (const address of ['https://service.example', 'http://127.0.0.1.service.example']) {
    const { code, errors } = await runPlain('--base-url', address)
    assert.equal(code, 2)
    assert.match(errors, /not on this machine.*--allow-remote/)
  }
})

test('exits with 2 when nothing listens, and when the service is another', async () => {
  const http = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const other = await runPlain('--base-url', `http://127.0.0.1:${port}`)
  http.closeAllConnections()
  http.close()
  await once(http, 'close')
  assert.equal(other.code, 2)
  assert.match(other.errors, /has no authorization_endpoint/)
  const none = await runPlain('--base-url', `http://127.0.0.1:${port}`)
  assert.equal(none.code, 2)
  assert.match(none.errors, /got no answer/)
})

test('takes every option from the environment too, the command line first', () => {
  const environment = { CONFORMANCE_PASSWORD: 'from-environment', CONFORMANCE_EMAIL: 'a@b.example' }
  const args = ['--base-url', 'http://localhost:4700', '--email', 'c@d.example']
  const { credentials, issuer } = parseOptions(args, environment, '')
  assert.deepEqual(credentials, { email: 'c@d.example', password: 'from-environment' })
  assert.equal(issuer, 'http://localhost:4700/app-auth')
})

test('gives each module its own id, a title of 80 characters at most, a source', () => {
  const ids = MODULES.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const { id, title, source, where } of MODULES) {
    assert.match(id, /^[\w-]+$/)
    assert.ok(title.length <= 80, title)
    assert.ok(source.length > 5 && where.length > 5, id)
  }
  assert.deepEqual(
    chooseModules(['rfc9207*', 'oidcc-server']).chosen.map(({ id }) => id),
    ['oidcc-server', 'rfc9207-iss-in-success', 'rfc9207-iss-in-error'],
  )
})

test('varies a redirect URI without ever giving the registered one', () => {
  const registered = 'https://first.conformance.example/callback'
  const variants = variantsOf(registered)
  assert.ok(variants.length > 10)
  assert.equal(new Set(variants).size, variants.length)
  assert.ok(!variants.includes(registered))
})

test('cuts secrets in queries, forms, JSON and JWTs [C15]', () => {
  const secret = 's3cr3t-value-of-a-test'
  for (const text of [
    `https://app.example/?code=${secret}&state=x`,
    `grant_type=x&client_secret=${secret}`,
    `{"access_token":"${secret}","scope":"openid"}`,
    `{"id_token": "${secret}"}`,
  ]) {
    assert.ok(!redact(text).includes(secret), text)
  }
  assert.equal(redact('cs_'.concat('a'.repeat(65))), 'cs_aaa…')
  assert.equal(redact(`free text with ${secret}`, [secret]), 'free text with …')
  assert.equal(redact('code_challenge_methods_supported'), 'code_challenge_methods_supported')
})

const HOSTILE = '<script>alert(1)</script>\u001b[31m'
const result: ModuleResult = {
  id: 'a-module',
  title: 'a title',
  source: 'a source',
  verdict: 'failed',
  expected: 'something',
  cause: HOSTILE,
  where: 'a place',
  requests: 1,
  milliseconds: 2,
  steps: [
    { kind: 'check', outcome: 'failed', expectation: 'something', found: HOSTILE },
    {
      kind: 'request',
      request: `GET http://localhost/${HOSTILE}`,
      sentHeaders: [],
      status: 200,
      headers: [`x: ${HOSTILE}`],
      body: HOSTILE,
      milliseconds: 1,
    },
  ],
}
const report = buildReport({
  issuer: 'http://localhost:1/app-auth',
  service: 'chartside',
  requests: 1,
  modules: [result],
  startedAt: new Date(0),
  milliseconds: 3,
})

test('escapes what a service sent, in HTML and in a terminal', () => {
  const html = buildHtml(report)
  assert.doesNotMatch(html, /<script|<link|<img|https?:\/\/(?!localhost)/)
  assert.match(html, /&#60;script&#62;/)
  const terminal = new TerminalReport({ hasColor: false, isInteractive: false, total: 1 })
  assert.ok(!terminal.ended(result).includes('\u001b'))
  assert.match(terminal.summary(report), /\n0 passed, 1 failed, 0 warnings, 0 skipped\n$/)
})

test('colours the terminal only when it is one', () => {
  const colored = new TerminalReport({ hasColor: true, isInteractive: true, total: 1 })
  assert.ok(colored.ended({ ...result, cause: 'x' }).includes('\u001b[31m'))
  assert.match(
    colored.started({ ...result, where: '', run: async () => {} }, 1),
    /\[1\/1\] a-module/,
  )
})
