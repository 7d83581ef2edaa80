// The docstrings of what app authors and implementers of other hosts call: every exported function and
// class of the public packages has an example, and says what it throws.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = ['sdk', 'host', 'app-kit', 'test-kit']
/** For this repository only: the entry of the served script. */
const INTERNAL = ['./served', './require-node']

interface Place {
  readonly file: string
  readonly name: string
}

/** Every value that a package exports, with the file that defines it. */
function listExports(name: string): Place[] {
  const folder = join(root, 'packages', name)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>
  }
  return Object.entries(exports)
    .filter(([subpath, file]) => file.endsWith('.ts') && !INTERNAL.includes(subpath))
    .flatMap(([, file]) => readExports(join(folder, file)))
}

function readExports(file: string): Place[] {
  const text = readFileSync(file, 'utf8')
  const own = [...text.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(
    ([, name = '']) => ({ file, name }),
  )
  const passedOn = [...text.matchAll(/^export \{([^}]+)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ file: join(dirname(file), from), name })),
  )
  return [...own, ...passedOn]
}

/** What is wrong with a docstring; undefined for one that is good, and for plain data. */
function explainMissing({ file, name }: Place): string | undefined {
  const text = readFileSync(file, 'utf8')
  const definition = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:async )?(function\\*?|class|const) ${name}\\b([^\\n]*)`,
  ).exec(text)
  const [, docstring = '', kind, rest = ''] = definition ?? []
  if (!definition) return `${name}: ${file} does not define it`
  if (kind === 'const' && /= (\{|\[|'|"|`|\d|Object\.keys)/.test(rest)) return undefined
  const missing = [
    ...(docstring.includes('@example') ? [] : ['@example']),
    ...(/@throws|never\s+(\*\s+)?throws/i.test(docstring) ? [] : ['@throws or "Never throws"']),
  ]
  const path = file.slice(root.length)
  return missing.length > 0 ? `${path}: ${name} needs ${missing.join(' and ')}` : undefined
}

for (const name of PACKAGES) {
  test(`each function of ${name} has an example and says what it throws`, () => {
    const places = listExports(name)
    assert.ok(places.length > 2)
    assert.deepEqual([...new Set(places.map(explainMissing).filter(Boolean))], [])
  })
}
