// The sample apps and the templates of a new app: each line exists once. What two of them need belongs
// into the app kit or the test kit. docs/inside/decisions/0023-examples.md.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { countRepeats } from '../scripts/numbers/repeats.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const SAMPLES = '{visit-notes,care-gaps,referral-desk,growth-chart,coding-watch}'
const TEMPLATES = 'packages/create-chartside-app/templates'

const load = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('repeats no six lines between two samples, or a sample and a template', () => {
  const samples = load(`examples/${SAMPLES}/**/*.{ts,tsx,mjs,css}`)
  assert.ok(samples.length > 40)
  const byApp = Map.groupBy(samples, ({ path }) => path.split(/[\\/]/)[1] ?? '')
  // One file for each app, so that only what stands in two of them counts.
  const apps = [...byApp].map(([path, files]) => ({ path, text: joinTexts(files) }))
  const templates = { path: TEMPLATES, text: joinTexts(load(`${TEMPLATES}/**/*.{ts,tsx,mjs,css}`)) }
  const pairs = [...apps, templates].flatMap((one, index, all) =>
    all.slice(index + 1).map((other) => [one, other] as const),
  )
  const repeated = pairs
    .filter(([one, other]) => countAcross(one, other) > 0)
    .map(([one, other]) => `${one.path} and ${other.path}`)
  assert.deepEqual(repeated, [])
})

interface File {
  readonly path: string
  readonly text: string
}

/** A line that no file has ends each file, so that no run goes on into the next. */
const joinTexts = (files: readonly File[]): string =>
  files.map(({ path, text }) => `${text}\nendOfFile('${path}')\n`).join('')

const countAcross = (one: File, other: File): number =>
  countRepeats([one, other]) - countRepeats([one]) - countRepeats([other])
