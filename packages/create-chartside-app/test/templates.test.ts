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
  assert.equal(others.length, 15)
  const replaced = others.flatMap((overlay) =>
    globSync('**/*.*', { cwd: `${cwd}${overlay}` })
      .filter((path) => inBase.has(path))
      .map((path) => `${overlay}/${path}`),
  )
  assert.deepEqual(replaced.sort(), [
    'next-option-3/src/start.ts',
    'next/src/app.ts',
    'next/src/start.ts',
    'next/tsconfig.json',
    'option-3/_env.example',
    'option-3/src/start.ts',
    'react-vite/src/app.ts',
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

test('writes a new app in about twenty files, of which ten are code', async () => {
  const choices = { name: 'Notes', option: '1', framework: 'express', kind: 'ui' } as const
  const files = await buildAppFiles(choices, fromRegistry('^1.0.0'))
  assert.deepEqual([...files.keys()].sort(), [
    '.dockerignore',
    '.env.example',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'chartside.app.json',
    'package.json',
    'public/app.css',
    'src/api.ts',
    'src/app.ts',
    'src/browser/app-view.ts',
    'src/browser/launch-page.ts',
    'src/browser/launch.ts',
    'src/browser/main.ts',
    'src/launch.ts',
    'src/main.mjs',
    'src/server.ts',
    'src/start.ts',
    'test/api.test.ts',
    'test/app.test.ts',
    'tsconfig.json',
  ])
  const code = [...files].filter(([path]) => /^src\/.*\.ts$/.test(path))
  const lines = code.flatMap(([, text]) => String(text).split('\n'))
  assert.ok(code.length <= 10 && lines.length < 200, `${lines.length} lines`)
})

test('fills every placeholder, and writes a name as text only', async () => {
  const name = `O'Brien & "Sons" \\ <b>`
  for (const option of Object.keys(OPTIONS) as Choices['option'][]) {
    for (const framework of Object.keys(FRAMEWORKS) as Choices['framework'][]) {
      for (const kind of Object.keys(KINDS) as Choices['kind'][]) {
        if (isReact(framework) && kind === 'worker') continue
        const files = await buildAppFiles({ name, option, framework, kind }, fromRegistry('^1.0.0'))
        const named = [...files].filter(([, text]) => String(text).includes("O'Brien"))
        assert.deepEqual(named.map(([path]) => path).sort(), ['README.md', 'chartside.app.json'])
        for (const [path, text] of files) assert.doesNotMatch(String(text), /\{\{\w+\}\}/, path)
        assert.equal(JSON.parse(String(files.get('chartside.app.json'))).name, name)
      }
    }
  }
})
