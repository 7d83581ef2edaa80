// A whole export of an audit trail, and every way to tamper with one: the table that drives the tests of the
// check, of the command line and of the console. Each case says what the reader must see. Security P07, V09.
import { hash } from 'node:crypto'
import {
  chainRootText,
  chainText,
  formatBegin,
  formatHead,
  formatLine,
  type TrailEvent,
} from '../packages/protocol/src/audit-trail.ts'

export const sha256 = (text: string) => hash('sha256', text, 'base64url')

const START = Date.parse('2026-03-01T12:00:00.000Z')
const EVENTS = ['patchApp', 'launch', 'exchange', 'signIn'].map(
  (action, n): TrailEvent => ({
    ...{ id: `evt_${n}`, at: START + n, accountId: 'acc_1', actor: 'usr_1', action },
    ...{ target: 'app_1', launchId: n === 1 ? 'lau_1' : undefined, ip: '203.0.113.7' },
    ...{ outcome: 'ok', detail: { trace: 'ab', name: `“${n}” → <b>` } },
  }),
)

let previous = sha256(chainRootText('acc_1'))
const CHAIN = EVENTS.map((event, n) => {
  previous = sha256(chainText(previous, n + 1, event))
  return { event, seq: n + 1, hash: previous }
})

export const END = { seq: CHAIN.length, hash: previous }
const HEAD = formatHead('acc_1', END)

/** What the service exports. */
export const WHOLE: readonly string[] = [...CHAIN.map(formatLine), HEAD]
const [first = '', second = '', third = ''] = WHOLE

const changed = (line: number, from: string | RegExp, to: string) =>
  WHOLE.map((text, at) => (at === line - 1 ? text.replace(from, to) : text))

export interface Tampered {
  readonly what: string
  readonly lines: readonly string[]
  /** What the first problem says. */
  readonly says: RegExp
}

const WAS_CHANGED = /line \d: was changed, or the line before it was/
export const TAMPERED: readonly Tampered[] = [
  { what: 'a changed value', lines: changed(2, '203.0.113.7', '203.0.113.8'), says: WAS_CHANGED },
  { what: 'a changed detail', lines: changed(3, '“2”', '“3”'), says: WAS_CHANGED },
  { what: 'a changed hash', lines: changed(2, /"hash":"./, '"hash":"_'), says: WAS_CHANGED },
  {
    what: 'an added member',
    lines: changed(1, '"hash"', '"note":"approved","hash"'),
    says: /line 1: .* it has the member note, which does not belong there/,
  },
  {
    what: 'a doubled name, the forged value first',
    lines: changed(1, '"actor"', '"actor":"usr_other","actor"'),
    says: /line 1: .* it has the member actor twice/,
  },
  {
    what: 'a doubled name in the details',
    lines: changed(1, '"detail":{', '"detail":{"trace":"other",'),
    says: /line 1: .* it has the member trace twice/,
  },
  {
    what: 'members in another order',
    lines: changed(2, /"actor":"usr_1","action":"launch"/, '"action":"launch","actor":"usr_1"'),
    says: /line 2: .* its members have another order/,
  },
  {
    what: 'other white space',
    lines: changed(2, ':', ': '),
    says: /line 2: .* it has other white space or escapes/,
  },
  {
    what: 'an escape in place of a character',
    lines: changed(2, 'usr_1', 'usr\\u005f1'),
    says: /line 2: .* it has other white space or escapes/,
  },
  {
    what: 'a carriage return',
    lines: WHOLE.map((line) => `${line}\r`),
    says: /line 1: .* it has other white space or escapes/,
  },
  {
    what: 'a time in another zone',
    lines: changed(1, '.000Z', '.000+00:00'),
    says: /line 1: has the time .*\+00:00, which is not in the form of an export/,
  },
  {
    what: 'a time with six digits of a second',
    lines: changed(1, '.000Z', '.000000Z'),
    says: /line 1: has the time .*\.000000Z, which is not in the form of an export/,
  },
  {
    what: 'a time in milliseconds',
    lines: changed(1, /"at":"[^"]+"/, `"at":${START}`),
    says: /line 1: has the time \d+, which is not in the form of an export/,
  },
  {
    what: 'the end of another account',
    lines: [...WHOLE.slice(0, -1), formatHead('acc_2', END)],
    says: /line 5: is the end of acc_2/,
  },
  {
    what: 'an end with a further member',
    lines: changed(5, '"hash"', '"note":"x","hash"'),
    says: /line 5: .* it has the member note, which does not belong there/,
  },
  {
    what: 'a begin with a further member',
    lines: [
      formatBegin('acc_1', { seq: 0, hash: '' }).replace('"seq"', '"note":"x","seq"'),
      ...WHOLE,
    ],
    says: /line 1: .* it has the member note, which does not belong there/,
  },
  {
    what: 'an event of another account',
    lines: changed(2, '"acc_1"', '"acc_2"'),
    says: /line 2: belongs to acc_2/,
  },
  { what: 'a removed event', lines: WHOLE.toSpliced(1, 1), says: /line 2: has number 3 where 2/ },
  { what: 'a removed last event', lines: WHOLE.toSpliced(3, 1), says: /ends at 3, not at 4/ },
  {
    what: 'events that changed places',
    lines: [second, first, ...WHOLE.slice(2)],
    says: /line 1: has number 2 where 1 belongs/,
  },
  {
    what: 'an event that stands twice',
    lines: [first, second, second, third, ...WHOLE.slice(3)],
    says: /line 3: has number 2 where 3 belongs/,
  },
  { what: 'a cut end', lines: WHOLE.slice(0, -1), says: /the end of the trail is missing/ },
  { what: 'an empty line', lines: [first, '', ...WHOLE.slice(1)], says: /line 2: is not an event/ },
  { what: 'a line after the end', lines: [...WHOLE, first], says: /line 6: stands after the end/ },
  { what: 'a line that is not JSON', lines: ['<html>', ...WHOLE], says: /line 1: is not an event/ },
]
