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
    'option-3/src/settings.ts',
    'option-3/src/start.ts',
    'option-3/test/fixture.ts',
    'option-3/test/settings.test.ts',
    'react-vite/src/assets.ts',
    'ui-react/tsconfig.json',
  ])
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
