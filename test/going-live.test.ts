// docs/build/going-live.md: its eight steps name pages, buttons, settings, commands, addresses and events that
// exist. Reads files; runs nothing.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildPackageJson } from '../packages/create-chartside-app/src/app-json.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/build/going-live.md')
const TEMPLATE = 'packages/create-chartside-app/templates/base'

/** What the pattern captures on the page, each once. At least `count`, else the pattern is stale. */
function list(pattern: RegExp, count: number): readonly string[] {
  const found = new Set([...page.matchAll(pattern)].map(([, text = '']) => text))
  assert.ok(found.size >= count, `${pattern}: ${[...found].join(', ')}`)
  return [...found]
}

test('leads in eight steps', () => {
  const steps = [...page.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number))
  assert.deepEqual(steps, [1, 2, 3, 4, 5, 6, 7, 8])
})

test('names pages, sections and buttons as the console does', () => {
  const sources = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: root })
  const text = sources.map(read).join('\n')
  const named = list(/\*\*?([A-Z][^*\n]*)\*\*?/g, 20).filter((words) => words !== 'bold')
  assert.deepEqual(
    named.filter((words) => !text.includes(words)),
    [],
  )
})

test('names settings that a new app or chartside logs reads', () => {
  const example = read(`${TEMPLATE}/_env.example`)
  const ofLogs = 'CHARTSIDE_DEVELOPER_KEY'
  assert.ok(read('packages/operator/src/logs-command.ts').includes(`env.${ofLogs}`))
  for (const name of list(/`([A-Z][A-Z_]+)=?`/g, 7)) {
    if (name !== ofLogs) assert.match(example, new RegExp(`^(# )?${name}=`, 'm'), name)
  }
})

test('runs commands of a new app, and its image as the Dockerfile has it', () => {
  const choices = { name: 'Notes', option: '1', framework: 'express', kind: 'ui' } as const
  const { scripts } = buildPackageJson(choices, {}) as { scripts: Record<string, string> }
  for (const name of list(/npm (?:run )?(test|check|[a-z]+)(?= +#)/g, 3)) {
    assert.ok(name === 'install' || name in scripts, name)
  }
  const dockerfile = read(`${TEMPLATE}/Dockerfile`)
  for (const port of list(/-p \d+:(\d+)/g, 1))
    assert.match(dockerfile, new RegExp(`EXPOSE ${port}$`, 'm'))
  for (const path of list(/-v [\w-]+:(\S+)/g, 1))
    assert.match(dockerfile, new RegExp(`VOLUME ${path}$`, 'm'))
  const faults = read('packages/faults/src/main.ts') + read('packages/faults/README.md')
  for (const flag of list(/ (--at-least|--junit|--[a-z-]+) (?=\S+\.xml|[A-D] )/g, 2)) {
    assert.ok(faults.includes(flag), flag)
  }
})

test('calls addresses, hears events and imports parts that exist', () => {
  const api = read('docs/build/api.md')
  for (const path of list(/\$BASE(\/api\/\S+)/g, 1)) {
    const route = path.replaceAll(/\$\w+/g, ':id')
    const row = api.split('\n').find((line) => line.endsWith(` | \`${route}\` |`))
    assert.match(row ?? '', /`POST`/, route)
  }
  const webhooks = read('docs/build/webhooks.md')
  for (const event of list(/`([a-z]+\.[a-z]+)`/g, 3))
    assert.ok(webhooks.includes(`| \`${event}\``), event)
  const kit = read('packages/app-kit/src/server/index.ts')
  for (const name of list(/`(create\w+)`/g, 2)) assert.match(kit, new RegExp(`\\b${name}\\b`))
})
