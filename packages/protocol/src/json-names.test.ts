// Repeated names in JSON, in any notation, and the depth of nesting, as tables.
// RFC 8725 3.10; security R01.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasRepeatedName, scanJsonNames } from './json-names.ts'

for (const json of [
  '{"a":1,"a":2}',
  '{"a":1, "b":{"c":1,"c":2}}',
  '{"list":[{"a":1},{"a":1,"a":1}]}',
  '{"aud":"x","\\u0061ud":"y"}',
  '{"a":{"b":1},"a":{"b":1}}',
  '{"":1,"":2}',
  '{"a\\"b":1,"a\\"b":2}',
  '{"a" :1,"a"\t:\n2}',
  '[{"a":"}","b":1,"a":2}]',
  '{"a":{"a":1},"b":[],"a":2}',
  '{"a\\\\":1,"a\\\\":2}',
  '{"__proto__":1,"__proto__":2}',
]) {
  test(`finds the repeated name in ${JSON.stringify(json)} [R01]`, () => {
    JSON.parse(json)
    assert.equal(hasRepeatedName(json), true)
  })
}

for (const json of [
  '{}',
  '[]',
  '"a"',
  '"a\\\\"',
  '1',
  'null',
  '{"a":1,"b":1}',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":"b:\\"a\\":1","c":["a","a"]}',
  '{"a":"{\\"x\\":1,\\"x\\":2}"}',
  '{"a\\\\":1,"a":2}',
  '{"a":-1.5e3,"b":[true,null,false]}',
  ' {"a":1,"A":1} ',
  '["a","a","b"]',
]) {
  test(`finds no repeated name in ${json}`, () => {
    JSON.parse(json)
    assert.equal(hasRepeatedName(json), false)
  })
}

test('visits each name with its depth, and each object and array', () => {
  const names: [string, number, boolean][] = []
  const depths: number[] = []
  scanJsonNames('{"a":[{"b":1,"\\u0062":2}],"c":{},"a":"x"}', {
    onName: (...name) => names.push(name),
    onOpen: (depth) => depths.push(depth),
  })
  assert.deepEqual(names, [
    ['a', 1, false],
    ['b', 3, false],
    ['b', 3, true],
    ['c', 1, false],
    ['a', 1, true],
  ])
  assert.deepEqual(depths, [1, 2, 3, 2])
})

test('visits the names of random objects, whatever their characters', () => {
  const characters = ['a', 'b', '"', '\\', '{', '}', '[', ']', ':', ',', ' ', 'é', '\n']
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const text = () =>
    Array.from({ length: random(5) }, () => characters[random(characters.length)]).join('')
  for (let round = 0; round < 2_000; round += 1) {
    const names: string[] = []
    const build = (depth: number): string => {
      if (depth === 0 || random(3) === 0) return JSON.stringify(text())
      if (random(3) === 0) return `[${Array.from({ length: random(4) }, () => build(depth - 1))}]`
      const own = [...new Set(Array.from({ length: random(4) }, text))]
      const members = own.map((name) => {
        names.push(name)
        return `${JSON.stringify(name)}:${build(depth - 1)}`
      })
      return `{${members}}`
    }
    const json = build(5)
    const visited: string[] = []
    scanJsonNames(json, { onName: (name) => visited.push(name) })
    assert.deepEqual(visited, names, json)
    assert.equal(hasRepeatedName(json), false, json)
  }
})

for (const [description, json] of [
  [
    'braces and quotes',
    `{"a":${'['.repeat(1000)}${']'.repeat(1000)},"b":"${'{\\"'.repeat(200_000)}"}`,
  ],
  ['backslashes', `{"a":"${'\\\\'.repeat(500_000)}"}`],
  ['names', `{${Array.from({ length: 100_000 }, (_, n) => `"name${n}":1`).join()}}`],
  ['white space', `{"a"${' '.repeat(1_000_000)}:1}`],
] as const) {
  test(`scans a megabyte of ${description} in linear time`, () => {
    const started = performance.now()
    assert.equal(hasRepeatedName(json), false)
    assert.ok(performance.now() - started < 2_000)
  })
}
