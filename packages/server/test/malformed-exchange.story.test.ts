// An exchange that the token endpoint cannot read: JSON that is called a form and the other way round, a missing
// grant type, the code in the address, HTTP Basic that is none. It spends the code as every failed exchange, and its
// developer reads what was wrong in the answer and, at once, on the launch. Spec §7, security T08, T14, C08, V38.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorize, exchange, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const FORM = 'application/x-www-form-urlencoded'

interface Attempt {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  readonly query?: string
}
type Fields = Record<string, string>

const asForm = (fields: Fields) => new URLSearchParams(fields).toString()
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
const without = (fields: Fields, ...names: string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const ATTEMPTS: readonly [
  what: string,
  error: string,
  says: RegExp,
  attempt: (fields: Fields) => Attempt,
][] = [
  [
    'JSON that is called a form',
    'invalid_request',
    /body is JSON, but .* Send the content type application\/json/,
    (fields) => ({ payload: JSON.stringify(fields), headers: { 'content-type': FORM } }),
  ],
  [
    'a form that is called JSON',
    'invalid_request',
    /body is a form, but .* Send the content type application\/x-www-form-urlencoded/,
    (fields) => ({ payload: asForm(fields), headers: { 'content-type': 'application/json' } }),
  ],
  [
    'a text without a content type of its own',
    'invalid_request',
    /text\/plain, which fetch sends/,
    (fields) => ({ payload: asForm(fields), headers: { 'content-type': 'text/plain' } }),
  ],
  [
    'multipart',
    'invalid_request',
    /multipart\/form-data.*URLSearchParams/,
    (fields) => ({
      payload: `--x\r\ncontent-disposition: form-data; name="code"\r\n\r\n${fields.code}\r\n${fields.client_id}`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }),
  ],
  [
    'a request without grant_type',
    'invalid_request',
    /grant_type is missing/,
    (fields) => ({
      payload: asForm(without(fields, 'grant_type')),
      headers: { 'content-type': FORM },
    }),
  ],
  [
    'a grant type that is not there',
    'unsupported_grant_type',
    /no refresh/,
    (fields) => ({
      payload: asForm({ ...fields, grant_type: 'refresh_token' }),
      headers: { 'content-type': FORM },
    }),
  ],
  [
    'the parameters in the address',
    'invalid_request',
    /in the URL/,
    (fields) => ({ payload: '', headers: { 'content-type': FORM }, query: asForm(fields) }),
  ],
  [
    'a secret in HTTP Basic and in the body',
    'invalid_request',
    /authenticates twice/,
    (fields) => ({
      payload: asForm(fields),
      headers: {
        'content-type': FORM,
        authorization: basic(`${fields.client_id}:${fields.client_secret}`),
      },
    }),
  ],
  [
    'a secret with a line break in HTTP Basic',
    'invalid_client',
    /control character, such as a line break/,
    (fields) => ({
      payload: asForm(without(fields, 'client_id', 'client_secret')),
      headers: {
        'content-type': FORM,
        authorization: basic(`${fields.client_id}:${fields.client_secret}\n`),
      },
    }),
  ],
  [
    'HTTP Basic without base64',
    'invalid_client',
    /base64 of client_id:client_secret/,
    (fields) => ({
      payload: asForm(without(fields, 'client_id', 'client_secret')),
      headers: {
        'content-type': FORM,
        authorization: `Basic ${fields.client_id}:${fields.client_secret}`,
      },
    }),
  ],
]

async function launchWithCode() {
  const { id, launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const fields = {
    grant_type: 'authorization_code',
    code,
    client_id: story.app.clientId,
    client_secret: story.app.secret,
  }
  return { id, code, fields }
}

const post = ({ payload, headers, query = '' }: Attempt) =>
  story.request({ method: 'POST', url: `/app-auth/token?${query}`, headers, payload })

interface Failed {
  readonly step: string
  readonly outcome: string
  readonly code: string
  readonly reason: string
  readonly cause: string
  readonly traceId: string
}

const failedSteps = async (id: string): Promise<Failed[]> =>
  (await story.api('GET', `/api/launches/${id}`))
    .json()
    .steps.filter(({ outcome }: Failed) => outcome === 'failed')

for (const [what, error, says, attempt] of ATTEMPTS) {
  test(`says what is wrong with ${what}, also on the launch [C08, V38]`, async () => {
    const { id, code, fields } = await launchWithCode()
    const answer = await post(attempt(fields))
    assert.equal(answer.json().error, error)
    assert.match(answer.json().error_description, says)
    const steps = await failedSteps(id)
    assert.equal(steps.length, 1)
    const [failed] = steps
    assert.deepEqual(
      [failed?.step, failed?.code, failed?.reason, failed?.traceId],
      ['exchange', error, 'exchange_malformed', answer.json().trace_id],
    )
    assert.match(failed?.cause ?? '', says)
    const shown = JSON.stringify(steps)
    for (const secret of [code, story.app.secret]) assert.ok(!shown.includes(secret))
    assert.equal((await exchange(story, code)).json().error, 'invalid_grant', 'it is spent')
  })
}

test('shows nothing on a launch for a guessed code or another client [C08, T08]', async () => {
  const { id, fields } = await launchWithCode()
  for (const [, , , attempt] of ATTEMPTS) {
    await post(attempt({ ...fields, code: `${fields.code.slice(0, -4)}AAAA` }))
    await post(attempt({ ...fields, client_id: `cli_${'0'.repeat(32)}` }))
  }
  assert.deepEqual(await failedSteps(id), [])
  assert.equal((await exchange(story, fields.code)).statusCode, 200, 'they spend nothing')
})
