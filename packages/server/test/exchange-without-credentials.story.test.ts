// An exchange that names its client and shows no usable credentials: no secret, an assertion that is no JWT,
// the assertion without its type. It spends the code as every failed exchange; the owner of the app sees it on
// the launch. Spec §7, security T04, C08, P08, V38.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ASSERTION_TYPE } from '../src/token/client-assertion.ts'
import { authorize, exchange, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const WITHOUT_SECRET = { client_secret: null }
const UNREADABLE = {
  ...WITHOUT_SECRET,
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: 'no.signed.jwt',
}

async function launchWithCode() {
  const launch = await story.launch()
  const code = (await authorize(story, launch.launchId)).searchParams.get('code') ?? ''
  return { launch, code }
}

test('spends the code of an exchange without usable credentials [C08, P08, V38]', async () => {
  const attempts = [
    ['secret_wrong', WITHOUT_SECRET],
    ['assertion_malformed', UNREADABLE],
    ['assertion_malformed', { ...WITHOUT_SECRET, client_assertion: UNREADABLE.client_assertion }],
  ] as const
  for (const [reason, changes] of attempts) {
    const { launch, code } = await launchWithCode()
    const refused = await exchange(story, code, changes)
    assert.deepEqual([refused.statusCode, refused.json().error], [401, 'invalid_client'])
    const { steps } = (await story.api('GET', `/api/launches/${launch.id}`)).json()
    const failed = steps.find((step: { reason?: string }) => step.reason === reason)
    assert.equal(failed?.traceId, refused.json().trace_id, 'the owner finds it by its trace id')
    const fields = failed.sent.map(({ name }: { name: string }) => name)
    assert.ok(fields.includes('code') && !fields.includes('client_secret'), fields.join())
    const again = await exchange(story, code)
    assert.deepEqual([again.statusCode, again.json().error], [400, 'invalid_grant'])
  }
})

test('shows nothing on a launch when another client, or none, is named [C08, T08]', async () => {
  const { launch, code } = await launchWithCode()
  const guessed = `${code.slice(0, -4)}AAAA`
  for (const changes of [WITHOUT_SECRET, UNREADABLE]) {
    const requests = [
      { ...changes, client_id: null },
      { ...changes, client_id: `cli_${'0'.repeat(32)}` },
      { ...changes, code: guessed },
    ]
    for (const request of requests) {
      const answer = await exchange(story, code, request)
      assert.deepEqual([answer.statusCode, answer.json().error], [401, 'invalid_client'])
    }
  }
  const { failureCount } = (await story.api('GET', `/api/launches/${launch.id}`)).json()
  assert.equal(failureCount, 0)
  assert.equal((await exchange(story, code)).statusCode, 200)
})

test('answers a missing secret alike with and without a genuine code [T04]', async () => {
  const { code } = await launchWithCode()
  const guessed = `${code.slice(0, -4)}AAAA`
  const answers = [
    await exchange(story, guessed, WITHOUT_SECRET),
    await exchange(story, code, WITHOUT_SECRET),
  ]
  const [first, second] = answers.map((answer) => ({ ...answer.json(), trace_id: '' }))
  assert.deepEqual(first, second)
})
