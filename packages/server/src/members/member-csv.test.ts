// What a spreadsheet makes of an export of members: no cell runs as a formula, and no cell ends early.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLineOf } from './member-csv.ts'

const line = (name: string, email = 'a@lakeside.example') =>
  csvLineOf({
    ...{ id: 'usr_1', userId: 'usr_1', email, name, role: 'provider', platformRole: 'member' },
    ...{ isInvited: true, createdAt: 0, expiresAt: undefined },
  })

test('a cell that a spreadsheet would run begins with an apostrophe', () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u00a0+1', '\uff1d1', '|x']) {
    assert.ok(line(name).startsWith(`"'${name}",`), JSON.stringify(name))
  }
  assert.ok(line('Ana', '=cmd|x@lakeside.example').includes(`"'=cmd|x@lakeside.example"`))
  assert.ok(line('Mei-Lin + Co').startsWith('"Mei-Lin + Co",'))
})

test('quotes, commas and line ends stay in their cell', () => {
  assert.equal(
    line('O"Neil, Ana\r\nx'),
    '"O""Neil, Ana\r\nx","a@lakeside.example","provider","invited","1970-01-01T00:00:00.000Z",""\r\n',
  )
})
