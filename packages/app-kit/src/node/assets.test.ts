// The markup of an app's pages, and what is bundled for them. No server. Spec §5.5.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { buildLaunchPage } from '../server/pages.ts'
import { createAssets } from './assets.ts'

test('escapes everything variable in a page', () => {
  const evil = `"><script>alert('1')</script>&`
  const html = buildLaunchPage({
    ...{ name: evil, settings: { evil }, styleSheet: evil, preload: evil },
    scripts: [{ src: evil, integrity: evil }],
  })
  assert.equal(html.match(/<script/g)?.length, 1)
  assert.match(html, /&quot;&gt;&lt;script&gt;/)
})

test('bundles a script and a style sheet of one name, each with its imports', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return `./${name}`
  }
  write('word.ts', `export const word: string = 'imported'`)
  write('base.css', 'p { color: light-dark(red, blue) }')
  const assets = createAssets(pathToFileURL(join(folder, 'app.ts')).href, {
    sources: {
      '/page.js': write('script.ts', `import { word } from './word.ts'\nconsole.log(word)`),
      '/page.css': write('style.css', `@import './base.css';\np { margin: 0 }`),
    },
  })
  const [script, style] = await Promise.all(['/page.js', '/page.css'].map(assets.load))
  assert.equal(script?.type, 'text/javascript')
  assert.match(script?.text ?? '', /imported/)
  assert.equal(style?.type, 'text/css')
  assert.match(style?.text ?? '', /light-dark\(red, blue\)[\s\S]*margin: 0/)
  await assert.rejects(assets.load('/../package.json'), /not among the assets/)
})
