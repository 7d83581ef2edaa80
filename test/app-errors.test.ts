// The error codes of the SDK and of the app kit: each has a row in docs/build/errors.md, and a test
// or a vector that expects it. packages/server/test provokes those of the service
// (launch-errors.story.test.ts, api-errors.story.test.ts). Reads source text; runs none of it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Where each closed list of codes is written, and the heading under which the page explains it. */
const LISTS: [file: string, name: string, heading: string][] = [
  ['packages/protocol/src/handshake.ts', 'SERVICE_SDK_ERROR_CODES', 'From the SDK'],
  ['packages/app-kit/src/browser/errors.ts', 'AppKitErrorCode', 'in your pages'],
  ['packages/app-kit/src/server/errors.ts', 'ExchangeErrorCode', 'on your server'],
  ['packages/app-kit/src/server/errors.ts', 'IdTokenErrorCode', 'on your server'],
  ['packages/app-kit/src/server/errors.ts', 'ServiceErrorCode', 'on your server'],
  ['packages/app-kit/src/server/platform-token.ts', 'PlatformTokenErrorCode', 'on your server'],
]

/** The strings of the declaration that begins with this name. */
function listCodes(file: string, name: string): string[] {
  const text = read(file)
  const start = text.indexOf(name)
  assert.notEqual(start, -1, `${file} has no ${name}`)
  const [declaration = ''] = text
    .slice(start)
    .split(/\n(?:\n|export|\] as const| {2}readonly status)/)
  const codes = declaration.replace(/\/\*\*[\s\S]*?\*\//g, '').matchAll(/'([A-Za-z_]+)'/g)
  return [...codes].map(([, code]) => String(code))
}

const page = read('docs/build/errors.md')
const sections = page.split(/^## /m)
const tests = globSync(
  [
    'packages/{sdk,host,protocol,app-kit,test-kit}/**/*.test.ts',
    'packages/test-kit/vectors/*.json',
    'test/browser/*.ts',
  ],
  { cwd: root, exclude: ['**/node_modules/**'] },
).map(read)

for (const [file, name, heading] of LISTS) {
  const codes = listCodes(file, name)
  test(`${name} of ${file}: every code has a row and a test`, () => {
    assert.ok(codes.length >= 2, `found ${codes.join(', ')}`)
    const section = sections.find((text) => text.split('\n', 1)[0]?.includes(heading)) ?? ''
    const rows = new Set([...section.matchAll(/^\| `([A-Za-z_]+)` \|/gm)].map(([, code]) => code))
    assert.deepEqual(
      codes.filter((code) => !rows.has(code)),
      [],
      'not in docs/build/errors.md',
    )
    const asserted = (code: string) =>
      tests.some((text) => new RegExp(`['"\`]${code}['"\`]`).test(text))
    assert.deepEqual(
      codes.filter((code) => !asserted(code)),
      [],
      'in no test',
    )
  })
}

test('lists no code that does not exist', () => {
  const known = new Set(LISTS.flatMap(([file, name]) => listCodes(file, name)))
  for (const heading of new Set(LISTS.map(([, , heading]) => heading))) {
    const section = sections.find((text) => text.split('\n', 1)[0]?.includes(heading)) ?? ''
    const rows = [...section.matchAll(/^\| `([A-Za-z_]+)` \|/gm)].map(([, code]) => String(code))
    assert.deepEqual(
      rows.filter((code) => code !== 'code' && !known.has(code)),
      [],
    )
  }
})
