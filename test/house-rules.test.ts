// The house rules as tests, so that they do not drift: who may import whom, which calls have one
// owner, how a file opens and how long it may be. Reads source text; runs none of it.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLongFunctions } from '../scripts/numbers/functions.ts'
import { findCycles, listArrows } from '../scripts/numbers/imports.ts'
import {
  GRAPH,
  listServerArrows,
  listUndeclared,
  type RoomArrow,
  roomOf,
  SUB_ROOMS,
} from './import-graph.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = '{packages,examples,bench,scripts,test,conformance}/**/*.{ts,tsx,mjs}'
const files = globSync(SOURCES, { cwd: root })
  .filter((path) => !/node_modules|\/dist\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const SERVER = 'packages/server/src/'
const server = files.filter(({ path }) => path.startsWith(SERVER) && !path.endsWith('.test.ts'))

/** Lists what breaks a rule, so that a failure names every place at once. */
function offenders(among: typeof files, breaks: (file: (typeof files)[number]) => boolean) {
  return among.filter(breaks).map(({ path }) => path)
}

/** Source without comments and without the insides of strings. */
function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
}

test('there are source files to look at', () => {
  assert.ok(files.length > 50)
  assert.ok(server.length > 30)
})

test('every file opens with two to six lines that say what it owns, a test with one', () => {
  const bad = offenders(files, ({ path, text }) => {
    const least = path.endsWith('.test.ts') ? 1 : 2
    const lines = text.replace(/^#!.*\n/, '').split('\n')
    const opening = lines.findIndex((line) => !line.startsWith('//'))
    return opening < least || opening > 6
  })
  assert.deepEqual(bad, [])
})

test('no function has more than 80 lines, no component more than 120', (t) => {
  const long = findLongFunctions(files.filter(({ path }) => !path.includes('/templates/')))
  assert.deepEqual(
    long.map(({ path, line, name, lines }) => `${path}:${line} ${name} has ${lines} lines`),
    [],
  )
  for (const { path, text } of files) {
    const lines = text.split('\n').length - 1
    if (lines > 400) t.diagnostic(`${path} has ${lines} lines`)
  }
})

test('no file is called utils, helpers, common, shared, misc, manager or impl', () => {
  const drawer = /(^|[/\-.])(utils?|helpers?|common|shared|misc|manager|impl)([/\-.]|$)/
  assert.deepEqual(
    offenders(files, ({ path }) => drawer.test(path)),
    [],
  )
})

const arrows = listServerArrows(files)
const show = ({ from, to }: RoomArrow) => `${from} -> ${to}`

test('rooms of the server import exactly what the declared graph says', () => {
  assert.deepEqual(listUndeclared(files).map(show), [])
  const isUsed = (room: string, other: string) =>
    arrows.some(({ from, to }) => roomOf(from) === room && roomOf(to) === other)
  const unused = Object.entries(GRAPH).flatMap(([room, others]) =>
    others.filter((other) => !isUsed(room, other)).map((other) => `${room} -> ${other}`),
  )
  assert.deepEqual(unused, [])
})

for (const [room, graph] of Object.entries(SUB_ROOMS)) {
  test(`sub-rooms of ${room} import exactly what the declared graph says`, () => {
    const subRoomOf = (path: string) => roomOf(path.slice(room.length + 1))
    const isEdge = (path: string) => /-(http|routes)\.ts$/.test(path)
    const between = arrows
      .filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room)
      .map((arrow) => ({ ...arrow, own: subRoomOf(arrow.from), other: subRoomOf(arrow.to) }))
      .filter(({ own, other }) => own !== other && (own in graph || other in graph))
    const isDeclared = ({ from, to, own, other }: (typeof between)[number]) => {
      if (!(own in graph)) return isEdge(from)
      return !isEdge(to) && (!(other in graph) || graph[own]?.includes(other) === true)
    }
    assert.deepEqual(between.filter((arrow) => !isDeclared(arrow)).map(show), [])
    const isUsed = (own: string, other: string) =>
      between.some((arrow) => arrow.own === own && arrow.other === other)
    const unused = Object.entries(graph).flatMap(([own, others]) =>
      others.filter((other) => !isUsed(own, other)).map((other) => `${own} -> ${other}`),
    )
    assert.deepEqual(unused, [])
  })
}

test('the declared graphs have no cycle', () => {
  const graphs: Readonly<Record<string, readonly string[]>>[] = [GRAPH, ...Object.values(SUB_ROOMS)]
  for (const graph of graphs) {
    const visit = (room: string, way: readonly string[]): void => {
      assert.ok(!way.includes(room), [...way, room].join(' -> '))
      for (const next of graph[room] ?? []) visit(next, [...way, room])
    }
    for (const room of Object.keys(graph)) visit(room, [])
  }
})

test('no two source files import each other in a cycle; in the server no types either', () => {
  const sources = files.filter(({ path }) => path.includes('/src/') && !/\.test\.ts$/.test(path))
  assert.deepEqual(findCycles(listArrows(sources).filter(({ isType }) => !isType)), [])
  assert.deepEqual(findCycles(listArrows(server)), [])
})

test('the READMEs and the graph name every room of the server', () => {
  const rooms = [...new Set(server.map(({ path }) => roomOf(path.slice(SERVER.length))))]
    .filter((room) => !room.includes('.'))
    .sort()
  assert.deepEqual(Object.keys(GRAPH).sort(), rooms)
  const readme = readFileSync(join(root, 'packages/server/README.md'), 'utf8')
  const linked = [...readme.matchAll(/\(src\/([\w-]+)\)/g)].map(([, room]) => room)
  assert.deepEqual(linked.sort(), rooms)
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, drawn = ''] = /## Inside the server[\s\S]*?```\n([\s\S]*?)```/.exec(architecture) ?? []
  const named = drawn.split('\n').flatMap((line) => line.split(/\s+|→/).slice(1).filter(Boolean))
  assert.deepEqual(named.sort(), rooms)
  const without = rooms.filter((room) => !existsSync(join(root, SERVER, room, 'README.md')))
  assert.deepEqual(without, [])
})

test('no room imports the edge (-http, -routes) of another room', () => {
  const bad = arrows.filter(
    ({ from, to }) =>
      roomOf(from) !== roomOf(to) && /-(http|routes)\.ts$/.test(to) && from !== 'routes.ts',
  )
  assert.deepEqual(bad.map(show), [])
})

test('packages import only protocol, and examples only public exports', () => {
  const allowed: Record<string, string[]> = {
    protocol: [],
    server: ['protocol'],
    // The command line works on the stores and rules of the service, never on its edges.
    operator: ['protocol', 'server'],
    sdk: ['protocol'],
    ui: ['protocol'],
    console: ['protocol', 'ui'],
    // Its sheet takes the tokens of ui.
    'docs-site': [],
    host: ['protocol'],
    extension: ['host', 'protocol', 'ui'],
    'app-kit': ['protocol'],
    'test-kit': ['protocol'],
    faults: ['protocol', 'test-kit'],
    // Its templates are apps.
    'create-chartside-app': ['sdk', 'app-kit', 'test-kit'],
  }
  const bad: string[] = []
  for (const { path, text } of files) {
    const [top, name = ''] = path.split('/')
    // What create-chartside-app writes is an app like the examples.
    const isApp = top === 'examples' || path.includes('/templates/')
    const isSource = path.includes('/src/') && !isApp
    for (const [, target = ''] of text.matchAll(/from '([^']+)'/g)) {
      const reached = target.startsWith('.') ? normalize(join(dirname(path), target)) : target
      const other = /^(?:@chartside|packages)\/([\w-]+)/.exec(reached)?.[1]
      if (other === name && top === 'packages') continue
      if (top === 'packages' && isSource && other && !allowed[name]?.includes(other)) {
        bad.push(`${path} -> ${target}`)
      }
      const leavesExample =
        target.startsWith('.') && normalize(join(dirname(path), target)).startsWith('packages/')
      if (top === 'examples' && leavesExample) bad.push(`${path} -> ${target}`)
    }
  }
  assert.deepEqual(bad, [])
})

const OWNERS: [string, RegExp, RegExp][] = [
  ['process.env', /process\.env/, /main\.(ts|mjs)$/],
  ['the clock', /Date\.now|new Date\(\)|performance\.now/, /main\.ts$/],
  [
    'randomness',
    /Math\.random|randomBytes|randomFill|randomUUID|getRandomValues/,
    /randomness\.ts$/,
  ],
  ['the SQLite driver', /DatabaseSync/, /db\/sqlite\/\w+\.ts$/],
]
for (const [what, call, owner] of OWNERS) {
  test(`in the server, ${what} has one owner`, () => {
    assert.deepEqual(
      offenders(server, ({ path, text }) => call.test(code(text)) && !owner.test(path)),
      [],
    )
  })
}

test('rules neither await nor touch the database', () => {
  const rules = ['apps/app', 'apps/client-secret', 'authorize/authorize', 'token/token']
  rules.push(
    'launches/launch',
    'launches/timeline/timeline',
    'collections/collection',
    'kernel/user',
  )
  const pure = server.filter(({ path }) => rules.some((rule) => path.endsWith(`${rule}.ts`)))
  assert.equal(pure.length, rules.length)
  assert.deepEqual(
    offenders(pure, ({ text }) => /\bawait\b|db\/database/.test(code(text))),
    [],
  )
})

test('SQL lives in stores and the db room only', () => {
  const statement = /\b(INSERT INTO|UPDATE \w+ SET|DELETE FROM|SELECT .+ FROM)\b/
  const owners = /(-store|db\/[\w/-]+|cluster\/[\w-]+)\.ts$/
  assert.deepEqual(
    offenders(server, ({ path, text }) => statement.test(text) && !owners.test(path)),
    [],
  )
})

test('postMessage to any origin is used for hello and failure report only', () => {
  const toAnyOrigin = /postMessage\([\s\S]{0,400}?'\*'/
  const sources = files.filter(({ path }) => path.includes('/src/') && !path.includes('.test.'))
  assert.deepEqual(
    offenders(sources, ({ text }) => toAnyOrigin.test(text)),
    [
      'examples/growth-chart/src/browser/main.ts',
      'packages/sdk/src/handshake.ts',
      'packages/sdk/src/launch-failure.ts',
      'packages/app-kit/src/browser/report-failure.ts',
    ],
  )
})
