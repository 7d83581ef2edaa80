// The shell on its own: markup that stays markup, assets from their sources, errors that tell no more
// than they should, settings from the environment.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createAssets } from '@chartside/example-app-shell/assets'
import { ExpiringMap } from '@chartside/example-app-shell/expiring-map'
import { requireText } from '@chartside/example-app-shell/fields'
import { buildAppPage, buildPage } from '@chartside/example-app-shell/page'
import { explain, Problem } from '@chartside/example-app-shell/problem'
import { loadSettings } from '@chartside/example-app-shell/process'

const folder = mkdtempSync(join(tmpdir(), 'app-shell-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): URL => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return pathToFileURL(path)
}

test('lets nothing that varies become markup', () => {
  const evil = `"><script>alert('1')</script>&`
  const scripts = [{ src: evil, integrity: evil }]
  const html = buildAppPage({ title: evil, style: evil, settings: { evil }, scripts })
  assert.equal(html.match(/<script/g)?.length, 1)
  assert.match(html, /&quot;&gt;&lt;script&gt;/)
})

test('writes no settings, style or main into a page that has none', () => {
  assert.doesNotMatch(buildPage({ title: 'Unseen' }), /data-settings|stylesheet|<main|undefined/)
})

test('bundles scripts and styles of one name, each with what it imports', async () => {
  write('word.ts', `export const word: string = 'imported'`)
  write('base.css', `p { color: light-dark(red, blue) }`)
  const assets = createAssets({
    '/page.js': write('script.ts', `import { word } from './word.ts'\nconsole.log(word)`),
    '/page.css': write('style.css', `@import './base.css';\np { margin: 0 }`),
  })
  assert.deepEqual(assets.paths, ['/page.js', '/page.css'])
  const [script, style] = await Promise.all(assets.paths.map(assets.load))
  assert.equal(script?.type, 'text/javascript')
  assert.match(script?.body ?? '', /imported/)
  assert.equal(style?.type, 'text/css')
  assert.match(style?.body ?? '', /light-dark\(red, blue\)[\s\S]*margin: 0/)
  await assert.rejects(assets.load('/../package.json'), /not among the assets/)
})

test('passes on an error that brings code and fix, and shows nothing of a mistake of its own', () => {
  const view = { error: 'session_ended', cause: 'It has ended.', fix: 'Launch again.' }
  assert.deepEqual(explain(new Problem(401, view), 'App'), { status: 401, problem: view })
  for (const thrown of [new Error('password=hunter2'), { code: 'x', fix: 'y' }, null, 'text']) {
    const { status, problem } = explain(thrown, 'App')
    assert.deepEqual([status, problem.error], [500, 'internal_server_error'])
    assert.doesNotMatch(JSON.stringify(problem), /hunter2/)
  }
})

test('tells the sender what is wrong with a body, and quotes nothing of it', () => {
  const refusal = (message: string, facts: object) =>
    explain(Object.assign(new SyntaxError(message), facts), 'App')
  const parsing = { statusCode: 400, type: 'entity.parse.failed' }
  const broken = refusal(`Unexpected end of "{"code":"code_1"`, parsing)
  assert.deepEqual([broken.status, broken.problem.error], [400, 'invalid_request'])
  assert.equal(broken.problem.cause, 'The request body is not JSON.')
  const large = refusal('request entity too large', { statusCode: 413, type: 'entity.too.large' })
  assert.deepEqual([large.status, large.problem.cause], [413, 'request entity too large'])
  assert.equal(refusal('insides', { statusCode: 500 }).problem.error, 'internal_server_error')
})

test('takes a text field of whatever was sent, and answers 400 to everything else', () => {
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

test('forgets what is too old, and the oldest of too many', () => {
  let time = 0
  const map = new ExpiringMap<number>({ lifetimeMs: 10, most: 3, now: () => time })
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  map.set('a', 7)
  map.set('d', 8)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('d'), map.size], [7, undefined, 8, 3])
  map.delete('c')
  time = 10
  assert.equal(map.get('a'), undefined)
  map.set('e', 9)
  assert.deepEqual([map.get('e'), map.size], [9, 1])
})

test('asks for the credentials of the app, and knows where it is without being told', () => {
  assert.throws(() => loadSettings('my-app', 4710, {}), /CLIENT_ID and CLIENT_SECRET/)
  const { publicUrl, tokenUrl, frameAncestors } = loadSettings('my-app', 4710, {
    CLIENT_ID: 'cli_1',
    CLIENT_SECRET: 'cs_1',
    FRAME_ANCESTORS: 'https://a.example, https://b.example ',
  })
  assert.equal(publicUrl, 'http://my-app.chartside.localhost:4710')
  assert.equal(tokenUrl, 'http://localhost:4700/app-auth/token')
  assert.deepEqual(frameAncestors, ['https://a.example', 'https://b.example'])
})
