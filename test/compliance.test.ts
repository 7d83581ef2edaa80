// docs/operate/compliance.md, docs/inside/threat-model.md and docs/operate/incident.md against the code: every paragraph has its four
// lines, and every setting, test, audit event, part of the evidence, requirement, route and command that
// they name exists. Reads files; runs nothing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildCli } from '../packages/operator/src/cli.ts'
import { SETTINGS } from '../packages/server/src/config/settings.ts'
import { systemRandomness } from '../packages/server/src/kernel/randomness.ts'
import { ROUTES } from '../packages/server/src/routes.ts'
import { isAudited } from '../packages/server/src/surfaces/call-audit-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** 45 CFR 164.312 with every implementation specification, and the record rule of 164.316. */
const PARAGRAPHS = [
  '164.312(a)(1)',
  '164.312(a)(2)(i)',
  '164.312(a)(2)(ii)',
  '164.312(a)(2)(iii)',
  '164.312(a)(2)(iv)',
  '164.312(b)',
  '164.312(c)(1)',
  '164.312(c)(2)',
  '164.312(d)',
  '164.312(e)(1)',
  '164.312(e)(2)(i)',
  '164.312(e)(2)(ii)',
  '164.316(b)(1)',
  '164.316(b)(2)(i)',
  '164.316(b)(2)(ii)',
  '164.316(b)(2)(iii)',
]

const sections = read('docs/operate/compliance.md')
  .split(/^## /m)
  .slice(1)
  .filter((text) => /^\d/.test(text))
  .map((text) => ({ paragraph: text.split(' ')[0] ?? '', text }))

const lineOf = (text: string, name: string) =>
  new RegExp(`^- ${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''

/** The names in backquotes on this line of every section, with the section. */
const named = (line: string) =>
  sections.flatMap(({ paragraph, text }) =>
    [...lineOf(text, line).matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ paragraph, name })),
  )

test('has each paragraph once, with settings, tests, audit events and evidence', () => {
  const found = sections.map(({ paragraph }) => paragraph)
  assert.equal(new Set(found).size, found.length)
  for (const paragraph of PARAGRAPHS) assert.ok(found.includes(paragraph), paragraph)
  for (const { paragraph, text } of sections) {
    for (const line of ['Settings', 'Tests', 'Audit events', 'Evidence']) {
      assert.notEqual(lineOf(text, line), '', `${paragraph}: ${line}`)
    }
  }
})

test('names settings that exist', () => {
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable))
  const used = named('Settings').filter(({ name }) => name.startsWith('CHARTSIDE_'))
  assert.ok(used.length > 5)
  assert.deepEqual(
    used.filter(({ name }) => !known.has(name)),
    [],
  )
})

test('names tests that exist, by file and title', () => {
  const missing: string[] = []
  for (const { paragraph, text } of sections) {
    const tests = [...lineOf(text, 'Tests').matchAll(/`([^`]+)` “([^”]+)”/g)]
    assert.ok(tests.length > 0, paragraph)
    for (const [, path = '', title = ''] of tests) {
      if (!read(path).includes(`'${title}'`)) missing.push(`${paragraph}: ${path} ${title}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('names audit events that are written', () => {
  const operations = ROUTES.filter((route) => route.surface !== 'oauth')
    .filter(isAudited)
    .map(({ operation }) => operation)
  const actions = read('packages/operator/src/audit-action.ts').matchAll(/^ {2}\| '(\w+)'$/gm)
  const written = new Set<string>([
    ...operations,
    ...[...actions].map(([, action = '']) => action),
    ...['launch', 'authorize', 'exchange', 'replay', 'revoke', 'useEmergencyAccess'],
  ])
  assert.ok(written.has('collectEvidence'))
  assert.deepEqual(
    named('Audit events').filter(({ name }) => !written.has(name)),
    [],
  )
})

test('names parts that the evidence has', () => {
  const text = read('packages/operator/src/evidence/collect.ts')
  const parts = new Set([...text.matchAll(/^ {4}(\w+)[:,]/gm)].map(([, name = '']) => name))
  assert.ok(parts.has('transport'))
  assert.deepEqual(
    named('Evidence').filter(({ name }) => !parts.has(name)),
    [],
  )
})

test('names requirements that exist in the threat model', () => {
  const known = new Set(
    [...read('docs/inside/spec/security.md').matchAll(/^- \*\*([A-Z]\d\d)\*\*/gm)].map(
      ([, id]) => id,
    ),
  )
  const used = [...read('docs/inside/threat-model.md').matchAll(/\b[A-Z]\d\d\b/g)].map(([id]) => id)
  assert.ok(used.length > 50)
  assert.deepEqual(
    used.filter((id) => !known.has(id)),
    [],
  )
})

test('calls routes and commands that exist in the runbook of incidents', () => {
  const text = read('docs/operate/incident.md')
  const shape = (path: string) => path.replace(/[:$]\w+/g, '*')
  const routes = new Set(
    ROUTES.flatMap((route) =>
      route.surface === 'oauth' ? [] : [`${route.method} ${shape(route.path)}`],
    ),
  )
  const calls = [...text.matchAll(/(?:curl -X (\w+) \$BASE|`(GET|POST) )(\/[\w/$-]+)/g)].map(
    ([, sent, named, path = '']) => `${sent ?? named} ${shape(path)}`,
  )
  assert.ok(calls.length > 8)
  assert.deepEqual(
    calls.filter((call) => !routes.has(call)),
    [],
  )
  const none = () => {}
  const cli = buildCli({
    env: {},
    clock: () => 0,
    randomness: systemRandomness(),
    operator: { user: '', host: '' },
    print: none,
    note: none,
    redraw: none,
    isTerminal: false,
    signal: new AbortController().signal,
  })
  const commands = new Set(
    cli.commands.flatMap((group) => [
      group.name(),
      ...group.commands.map((command) => `${group.name()} ${command.name()}`),
    ]),
  )
  const used = [...text.matchAll(/(?:`|^)chartside (\w+)(?: ([a-z]+))?/gm)].map(
    ([, group = '', command]) =>
      command && commands.has(`${group} ${command}`) ? `${group} ${command}` : group,
  )
  assert.ok(used.includes('keys revoke'))
  assert.deepEqual(
    used.filter((name) => !commands.has(name)),
    [],
  )
})
