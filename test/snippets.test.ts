// The code in the guides for app authors: every snippet type-checks against the packages, for a
// page or for a server as its first line names. Runs none of it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Inside the project, so that the packages resolve. */
const folder = join(root, '.chartside/snippets')

before(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
})
after(() => rmSync(folder, { recursive: true, force: true }))

interface Snippet {
  readonly page: string
  readonly platform: 'browser' | 'server'
  readonly code: string
}

const snippets: Snippet[] = globSync('docs/build/*.md', { cwd: root }).flatMap((page) =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(/```ts (browser|server)\n([\s\S]*?)```/g),
  ].map(([, platform, code = '']) => ({ page, platform: platform as Snippet['platform'], code })),
)

function typeErrors(platform: Snippet['platform'], chosen: readonly Snippet[]): string {
  const files = chosen.map(({ page, code }, i) => {
    const name = `${page.replace(/\W+/g, '-')}-${platform}-${i}.ts`
    writeFileSync(join(folder, name), `${code}\nexport {}\n`)
    return name
  })
  const lib = platform === 'browser' ? ['es2024', 'dom', 'dom.iterable'] : ['es2024']
  const types = platform === 'browser' ? [] : ['node']
  const tsconfig = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { lib, types },
    files,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  return spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' }).stdout
}

for (const platform of ['browser', 'server'] as const) {
  test(`type-checks every snippet for the ${platform}`, () => {
    const chosen = snippets.filter((snippet) => snippet.platform === platform)
    assert.ok(chosen.length >= 3, `${chosen.length} snippets`)
    assert.equal(typeErrors(platform, chosen), '')
  })
}

test('reports a snippet with an error', () => {
  const code = "import { beginLunch } from '@chartside/app-kit/browser'\nbeginLunch()"
  assert.match(typeErrors('browser', [{ page: 'x', platform: 'browser', code }]), /beginLaunch/)
})

test('checks every snippet of the guides', () => {
  for (const page of globSync('docs/build/option-*.md', { cwd: root })) {
    assert.doesNotMatch(readFileSync(join(root, page), 'utf8'), /```ts\n/, page)
  }
})
