// A name that an earlier version has stored adds no header and no line to a mail. Security V11.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildInvitationMail, buildResetMail, buildResetNotice } from './mail-texts.ts'

const HOSTILE = 'Clinic\r\nBcc: all@evil.example\r\n\r\nbody\u001b[2J'

test('keeps each name in its line, in every mail [V11]', () => {
  const person = { email: 'p@lakeside.example', name: HOSTILE }
  const mails = [
    buildInvitationMail({
      ...person,
      accountName: HOSTILE,
      url: 'https://x.example/',
      expiresAt: 0,
    }),
    buildResetMail(person, 'https://x.example/', 0),
    buildResetNotice(person, person, person),
  ]
  for (const { to, subject, text } of mails) {
    for (const line of [to.name, subject]) assert.doesNotMatch(line, /\p{Cc}/u)
    assert.doesNotMatch(text, /^Bcc:|^body/m)
    assert.ok(!text.includes('\u001b'))
  }
})
