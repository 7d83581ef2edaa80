// Names that people read have no control, direction or invisible text, wherever the API takes one. Security V34.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const HOSTILE = [
  ...['\u202egnp.exe', 'a\u2066b', 'line\nbreak', 'bell\u0007', 'esc\u001b[2J', 'a\u2028b'],
  ...[' ', '\u200b', '\u3164', '\u2800', 'zero\u200bwidth', '\ufeffname'],
]
const GOOD = ['Dr. Amara Okafor', '李医生', 'نماینده\u200cها', '👩\u200d⚕️ Clinic', "O'Brien & Sons"]

/** Each write that takes a name, and the pointer to it. */
const WRITES: readonly [what: string, field: string, send: (name: string) => Promise<number>][] = [
  ['an account', '/name', (name) => post('/api/accounts', { name })],
  ['a user', '/name', (name) => post('/api/users', { name, email: `${mark()}@x.example` })],
  [
    'a member',
    '/name',
    (name) => post(members(), { name, email: `${mark()}@x.example`, role: 'provider' }),
  ],
  ['an app', '/name', (name) => post('/api/apps', { accountId: story.accountId, name })],
  ['a secret', '/label', (label) => post(`/api/apps/${story.app.id}/secrets`, { label })],
  [
    'a collection',
    '/name',
    (name) => post('/api/collections', { accountId: story.accountId, name }),
  ],
]

let count = 0
const mark = () => `p${++count}`
const members = () => `/api/accounts/${story.accountId}/members`

async function post(url: string, body: object): Promise<number> {
  const answer = await story.api('POST', url, body)
  if (answer.statusCode === 400) {
    assert.match(answer.json().errors[0].message, /visible character/, answer.body)
  }
  return answer.statusCode
}

for (const [what, field, send] of WRITES) {
  test(`takes no hidden text in ${field.slice(1)} of ${what} [V34]`, async () => {
    for (const name of HOSTILE) assert.equal(await send(name), 400, JSON.stringify(name))
    for (const name of GOOD) assert.equal(await send(name), 201, name)
  })
}
