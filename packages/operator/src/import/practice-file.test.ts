// What the import reads from a file, and how it says what is wrong with one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileFormat, readPracticeFile } from './practice-file.ts'

const HEADING = 'external_id,name,collection_id,collection_version,email,person_name,role'

test('joins the lines of a practice, wherever they stand', () => {
  const { practices, problems } = readPracticeFile(
    [
      `\uFEFF${HEADING}`,
      'x-1,"Lakeside, Main Street",col_1,3,mei@lakeside.example,Dr. Mei Tanaka,admin',
      'x-2,Northgate,,,,,',
      'x-1,"Lakeside, Main Street",col_1,3,ana@lakeside.example,,',
    ].join('\r\n'),
    'csv',
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(practices, [
    {
      externalId: 'x-1',
      name: 'Lakeside, Main Street',
      collection: { id: 'col_1', version: 3 },
      people: [
        { email: 'mei@lakeside.example', name: 'Dr. Mei Tanaka', role: 'admin' },
        // Without a name the address stands for it, and most people are providers.
        { email: 'ana@lakeside.example', name: 'ana@lakeside.example', role: 'provider' },
      ],
    },
    { externalId: 'x-2', name: 'Northgate' },
  ])
})

test('reads JSON Lines, and leaves out empty lines', () => {
  const text = '{"externalId":"x-1","name":"Lakeside"}\n\n{"externalId":"x-2","name":"B"}\n'
  const { practices } = readPracticeFile(text, 'jsonl')
  assert.deepEqual(
    practices.map(({ externalId }) => externalId),
    ['x-1', 'x-2'],
  )
})

const WRONG: Readonly<Record<string, [format: FileFormat, lines: string[], expected: RegExp]>> = {
  'an unknown column': ['csv', ['external_id,name,mail', 'x,y,z'], /^1 unknown column mail; the/],
  'a missing column': ['csv', ['name', 'y'], /^1 the column external_id is missing/],
  'a broken quote': ['csv', [HEADING, 'x,"y'], /^2 Quote Not Closed/],
  'a line that is too long': ['csv', ['external_id,name', 'x,y,z'], /^2 Invalid Record Length/],
  'a version that is none': ['csv', [HEADING, 'x,y,col_1,two,,,'], /^2 \/collection\/version/],
  'a line that is no JSON': ['jsonl', ['{"externalId":"x"'], /^1 is not JSON/],
  'an unknown field': ['jsonl', ['{"externalId":"x","name":"y","admin":true}'], /^1 .*\(admin\)/],
  'a practice twice': [
    'jsonl',
    Array(2).fill('{"externalId":"x","name":"y"}'),
    /^2 x is in line 1/,
  ],
  'two names of one practice': [
    'csv',
    [HEADING, 'x,Lakeside,,,,,', 'x,Northgate,,,,,'],
    /^3 x has another name or collection than in line 2/,
  ],
  'no object': ['jsonl', ['[]'], /^1 the practice must be object/],
}
for (const [what, [format, lines, expected]] of Object.entries(WRONG)) {
  test(`names the line of ${what}`, () => {
    const { problems } = readPracticeFile(lines.join('\n'), format)
    assert.match(problems.map(({ line, message }) => `${line} ${message}`).join('\n'), expected)
  })
}

test('reads a file of either format that begins with a byte order mark', () => {
  for (const [text, format] of [
    [`\uFEFF${HEADING}\nx-1,Lakeside,,,,,\n`, 'csv'],
    ['\uFEFF{"externalId":"x-1","name":"Lakeside"}\n', 'jsonl'],
  ] as const) {
    const { practices, problems } = readPracticeFile(text, format)
    assert.deepEqual(problems, [])
    assert.deepEqual(practices, [{ externalId: 'x-1', name: 'Lakeside' }])
  }
})
