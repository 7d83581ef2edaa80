// The templates as a whole: versions are those of this repository, each replaced file is intended,
// and every placeholder has a value.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildAppFiles } from '../src/app-files.ts'
import { VERSIONS } from '../src/app-json.ts'
import { type Choices, FRAMEWORKS, isReact, KINDS, OPTIONS } from '../src/choices.ts'
import { fromRegistry } from '../src/packages.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const cwd = fileURLToPath(new URL('../templates/', import.meta.url))

/** The files of every possible choice. */
function buildAll(name = 'Notes') {
  const all = (Object.keys(OPTIONS) as Choices['option'][]).flatMap((option) =>
    (Object.keys(FRAMEWORKS) as Choices['framework'][]).flatMap((framework) =>
      (Object.keys(KINDS) as Choices['kind'][])
        .filter((kind) => kind === 'ui' || !isReact(framework))
        .map((kind): Choices => ({ name, option, framework, kind })),
    ),
  )
  return Promise.all(
    all.map(async (choices) => {
      const files = await buildAppFiles(choices, fromRegistry('^1.0.0'))
      return { ...choices, files }
    }),
  )
}

test('gives a new app the versions that this repository is tested with', () => {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
  for (const [name, version] of Object.entries(VERSIONS)) {
    const place = ['', 'examples/referral-desk/', 'examples/visit-notes/']
      .map((above) => `${above}node_modules/${name}`)
      .find((place) => place in packages)
    assert.equal(packages[place ?? '']?.version, version, name)
  }
})

test('replaces files of base for option 3, for React and for Next.js only', () => {
  const inBase = new Set(globSync('**/*.*', { cwd: `${cwd}base` }))
  const others = globSync('*', { cwd }).filter((overlay) => overlay !== 'base')
  assert.equal(others.length, 18)
  const replaced = others.flatMap((overlay) =>
    globSync('**/*.*', { cwd: `${cwd}${overlay}` })
      .filter((path) => inBase.has(path))
      .map((path) => `${overlay}/${path}`),
  )
  assert.deepEqual(replaced.sort(), [
    'next-option-3/src/main.mjs',
    'next/src/main.mjs',
    'next/tsconfig.json',
    'option-3/_env.example',
    'option-3/src/main.mjs',
  ])
})

test('gives an app of option 3 the provider of development of a sample', async () => {
  const choices = { name: 'Desk', option: '3', framework: 'hono', kind: 'ui' } as const
  const files = await buildAppFiles(choices, fromRegistry('^1.0.0'))
  const folder = 'src/provider/'
  const provider = [...files].filter(([path]) => path.startsWith(folder))
  assert.equal(provider.length, 4)
  for (const [path, text] of provider) {
    assert.equal(text, readFileSync(`${root}examples/referral-desk/${path}`, 'utf8'))
  }
})

test('writes a new app in thirteen files, of which five are code', async () => {
  const choices = { name: 'Notes', option: '1', framework: 'express', kind: 'ui' } as const
  const files = await buildAppFiles(choices, fromRegistry('^1.0.0'))
  assert.deepEqual([...files.keys()].sort(), [
    '.env.example',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'chartside.app.json',
    'package.json',
    'public/app.css',
    'src/app.ts',
    'src/browser/launch-page.ts',
    'src/browser/main.ts',
    'src/main.mjs',
    'test/app.test.ts',
    'tsconfig.json',
  ])
  const lines = [...files].map(([path, text]) => [path, String(text).split('\n').length] as const)
  const count = (pattern: RegExp) =>
    lines.filter(([path]) => pattern.test(path)).reduce((sum, [, length]) => sum + length, 0)
  assert.ok(count(/^src\//) < 120, `${count(/^src\//)} lines of code`)
  assert.ok(count(/./) < 350, `${count(/./)} lines`)
})

test('names the functions of the chosen option, and no other', async () => {
  for (const { framework, kind, files, option } of await buildAll()) {
    const code = [...files].filter(([path]) => !path.startsWith('src/provider/')).join('\n')
    const names = {
      1: ['routeExchange', 'beginForExchange', 'openByExchange', 'testExchangeApp'],
      2: [
        'routeTokenEndpoint',
        'beginForTokenEndpoint',
        'openByTokenEndpoint',
        'testTokenEndpointApp',
      ],
      3: ['redeemTicket)', 'beginAtProvider', 'openByProvider', 'testProviderApp'],
    }
    for (const [of, expected] of Object.entries(names)) {
      for (const name of expected) {
        assert.equal(
          code.includes(name),
          of === option,
          `${name} in ${option} ${framework} ${kind}`,
        )
      }
    }
  }
})

test('cites no document that the author of a new app does not have', async () => {
  for (const { files } of await buildAll()) {
    for (const [path, text] of files) {
      assert.doesNotMatch(String(text), /§|[Ss]pec(ification)?\b|security [A-Z]\d/, path)
    }
  }
})

test('fills every placeholder, and writes a name as text only', async () => {
  const name = `O'Brien & "Sons" \\ <b>`
  for (const { files } of await buildAll(name)) {
    const named = [...files].filter(([, text]) => String(text).includes("O'Brien"))
    assert.deepEqual(named.map(([path]) => path).sort(), ['README.md', 'chartside.app.json'])
    for (const [path, text] of files) assert.doesNotMatch(String(text), /\{\{\w+\}\}/, path)
    assert.equal(JSON.parse(String(files.get('chartside.app.json'))).name, name)
  }
})
