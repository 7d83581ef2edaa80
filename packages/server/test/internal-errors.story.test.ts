// What a caller reads of an error that is the fault of the service or of its database: a trace id, and no
// word of the error itself, which may hold a statement, a path or a value. Security T14, C15.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DatabaseUnavailable } from '../src/db/database.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'

const DETAIL = 'SELECT secret_hash FROM client_secrets at /srv/chartside.db'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

/** While every statement fails in this way. */
async function whileFailing<T>(error: Error, work: () => Promise<T>): Promise<T> {
  const { db } = story.service.service
  const { read, write } = db
  const fail = () => Promise.reject(error)
  Object.assign(db, { read: fail, write: fail })
  return work().finally(() => Object.assign(db, { read, write }))
}

for (const [what, error, status] of [
  ['a programmer error', new TypeError(DETAIL), 500],
  ['an outage of the database', new DatabaseUnavailable(new Error(DETAIL)), 503],
] as const) {
  test(`shows nothing of ${what} to any caller, and logs it once with its trace [T14]`, async () => {
    const code = await freshCode(story)
    const answers = await whileFailing(error, async () => [
      await exchange(story, code),
      await story.api('GET', '/api/accounts'),
      await story.request({
        url: '/auth/sign-in?return_to=/console',
        headers: { accept: 'text/html' },
      }),
    ])
    for (const { statusCode, body } of answers) {
      assert.equal(statusCode, status, body)
      assert.doesNotMatch(body, /secret_hash|srv|SELECT|TypeError/, body)
      const [trace = ''] = /[0-9a-f]{32}/.exec(body) ?? []
      const lines = story.service.logText().split('\n')
      assert.equal(
        lines.filter((line) => line.includes(trace) && line.includes('secret_hash')).length,
        1,
      )
    }
  })
}

test('offers a page that failed once more, and never a form that was sent', async () => {
  const browser = testBrowser(story.service)
  const client = testClient(story.service)
  const shown = await browser.open(client.url)
  const [page, sent] = await whileFailing(new TypeError(DETAIL), async () => [
    await browser.open(client.url),
    await browser.send(shown, '/auth/sign-in/password', { email: 'a@b.example', password: 'x' }),
  ])
  assert.deepEqual([page?.status, sent?.status], [500, 500])
  assert.match(page?.html ?? '', />Try again</)
  assert.doesNotMatch(sent?.html ?? '', />Try again</)
})
