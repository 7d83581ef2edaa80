// The rules of this app that need no server: error responses, fields of a body, markup, assets and
// settings. Spec §7.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createAppKit, ExchangeError } from '@chartside/app-kit/server'
import { createAssets } from '../src/assets.ts'
import { requireText } from '../src/fields.ts'
import { launchPage } from '../src/pages.ts'
import { explain, Problem } from '../src/problem.ts'

const exchange = (fetchFrom: typeof fetch) =>
  createAppKit({
    baseUrl: 'http://localhost:1',
    clientId: 'cli_1',
    clientSecret: 'cs_secret',
    fetch: fetchFrom,
  })
    .exchange('code_1')
    .then(() => assert.fail(), explain)

test('passes on code, status and trace id of a refused exchange, with cause and fix', async () => {
  const body = { error: 'invalid_grant', error_description: 'Spent.', trace_id: 'trc_1' }
  const { status, problem } = await exchange(async () => Response.json(body, { status: 400 }))
  const { fix, ...rest } = problem
  assert.equal(status, 400)
  assert.deepEqual(rest, { error: 'invalid_grant', cause: 'Spent.', trace_id: 'trc_1' })
  assert.match(fix, /Launch the app again/)
})

test('distinguishes an unreachable service from a slow one, without the secret', async () => {
  const away = await exchange(() => Promise.reject(new TypeError('fetch failed')))
  assert.deepEqual([away.status, away.problem.error], [502, 'service_unreachable'])
  const details = { status: 504, error: 'token_exchange_failed' }
  const slow = explain(new ExchangeError('exchange_timeout', 'Too slow.', details))
  assert.deepEqual([slow.status, slow.problem.error], [504, 'exchange_timeout'])
  assert.doesNotMatch(JSON.stringify([away, slow]), /cs_secret|code_1/)
})

test('passes on an error with code and fix, and shows nothing of an unexpected one', () => {
  const view = { error: 'session_ended', cause: 'It has ended.', fix: 'Launch again.' }
  assert.deepEqual(explain(new Problem(401, view)), { status: 401, problem: view })
  for (const thrown of [new Error('password=hunter2'), { code: 'x', fix: 'y' }, null, 'text']) {
    const { status, problem } = explain(thrown)
    assert.deepEqual([status, problem.error], [500, 'internal_server_error'])
    assert.doesNotMatch(JSON.stringify(problem), /hunter2/)
  }
})

test('takes a text field from a body, and refuses everything else with 400', () => {
  assert.equal(requireText({ code: 'code_1' }, 'code'), 'code_1')
  const odd = [undefined, null, 7, 'code', [], ['code'], {}, { code: '' }, { code: ' ' }]
  for (const body of [...odd, { code: { toString: 1 } }, { code: ['code_1'] }]) {
    assert.throws(
      () => requireText(body, 'code'),
      (error: unknown) => error instanceof Problem && error.status === 400 && error.fix !== '',
    )
  }
  assert.throws(() => requireText({}, 'toString'), Problem)
})

test('escapes everything variable in a page', () => {
  const evil = `"><script>alert('1')</script>&`
  const html = launchPage({ evil }, [{ src: evil, integrity: evil }])
  assert.equal(html.match(/<script/g)?.length, 1)
  assert.match(html, /&quot;&gt;&lt;script&gt;/)
})

test('bundles a script and a style sheet of one name, each with its imports', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return pathToFileURL(join(folder, name)).href
  }
  write('word.ts', `export const word: string = 'imported'`)
  write('base.css', 'p { color: light-dark(red, blue) }')
  const assets = createAssets({
    '/page.js': write('script.ts', `import { word } from './word.ts'\nconsole.log(word)`),
    '/page.css': write('style.css', `@import './base.css';\np { margin: 0 }`),
  })
  const [script, style] = await Promise.all(['/page.js', '/page.css'].map(assets.load))
  assert.equal(script?.type, 'text/javascript')
  assert.match(script?.text ?? '', /imported/)
  assert.equal(style?.type, 'text/css')
  assert.match(style?.text ?? '', /light-dark\(red, blue\)[\s\S]*margin: 0/)
  await assert.rejects(assets.load('/../package.json'), /not among the assets/)
})
