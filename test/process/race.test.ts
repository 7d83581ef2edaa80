// Races over real sockets against the real service: of requests that arrive together, one redeems the
// code, and a launch gets its tokens once. Security C05, C08, L02; contract §2.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { getRequest, jsonRequest, type RawAnswer, sendTogether } from './sockets.ts'
import {
  authorize,
  authorizePath,
  codeOf,
  exchange,
  freshCode,
  isActive,
  launch,
  type Practice,
  setUpPractice,
  tokenRequest,
} from './story-verbs.ts'

let service: ServiceProcess
let practice: Practice
before(async () => {
  service = await startService({ isStartedBefore: true })
  practice = await setUpPractice(service.baseUrl, ADMIN)
})
after(() => service.discard())

const exchangeRequest = (code: string, changes: object = {}) =>
  jsonRequest('/app-auth/token', { ...tokenRequest(practice, code), ...changes })

const bodyOf = ({ body }: RawAnswer): Record<string, unknown> => JSON.parse(body)

function countGood(answers: readonly RawAnswer[]): number {
  for (const answer of answers) {
    if (answer.status === 200) continue
    assert.equal(answer.status, 400, answer.body)
    assert.equal(bodyOf(answer).error, 'invalid_grant')
  }
  return answers.filter(({ status }) => status === 200).length
}

test('answers 100 parallel exchanges of one code with exactly one 200 [C05]', async () => {
  for (let round = 0; round < 5; round++) {
    const request = exchangeRequest(await freshCode(practice))
    const answers = await sendTogether(
      service.port,
      Array.from({ length: 100 }, () => request),
    )
    assert.equal(countGood(answers), 1)
    const winner = answers.find(({ status }) => status === 200)
    assert.ok(winner)
    // The other 99 are replays by the code's owner, so the token that it bought is dead (C04).
    assert.equal(await isActive(practice, String(bodyOf(winner).access_token)), false)
  }
})

test('leaves one token when two authorizes race an exchange [C05, L02]', async () => {
  const won = { exchange: 0, authorize: 0 }
  for (let round = 0; round < 40; round++) {
    const { launchId } = await launch(practice)
    const first = (await authorize(practice, launchId)).code ?? ''
    const again = getRequest(authorizePath(practice, launchId))
    const order = [exchangeRequest(first), again, again]
    // The request written first tends to win, so each is first once.
    for (let turn = 0; turn < round % 3; turn++) order.push(order.shift() ?? '')
    const answers = await sendTogether(service.port, order)

    const redirects = answers.filter(({ status }) => status === 302)
    const exchanged = answers.filter(({ status }) => status !== 302)
    assert.equal(redirects.length, 2, 'authorize always answers with a redirect here')
    assert.equal(exchanged.length, 1)
    let good = countGood(exchanged)
    won[good === 1 ? 'exchange' : 'authorize'] += 1
    const later = redirects.map(({ headers }) => codeOf(/^location: (.*)$/im.exec(headers)?.[1]))
    const tokens = exchanged.filter(({ status }) => status === 200).map(bodyOf)
    for (const code of later.filter((code) => code !== undefined)) {
      assert.notEqual(code, first)
      const answer = await exchange(practice, code)
      if (answer.status !== 200) continue
      good += 1
      tokens.push(answer.body)
    }
    assert.equal(good, 1, 'one launch yields its tokens exactly once')
    assert.equal(await isActive(practice, String(tokens[0]?.access_token)), true)
  }
  console.log('who came first:', won)
})

test('invalidates the code or comes too late: a wrong secret in a race [C05, C08]', async () => {
  const outcomes = { exchanged: 0, invalidated: 0 }
  for (let round = 0; round < 4; round++) {
    const code = await freshCode(practice)
    const requests = Array.from({ length: 9 }, () => exchangeRequest(code))
    const wrong = exchangeRequest(code, { client_secret: `${practice.app.secret.slice(0, -2)}00` })
    requests.splice(round % 2 === 0 ? 0 : 8, 0, wrong)
    const answers = await sendTogether(service.port, requests)
    const refused = answers.filter(({ status }) => status === 401)
    assert.equal(refused.length, 1)
    assert.equal(bodyOf(refused[0] as RawAnswer).error, 'invalid_client')
    const good = countGood(answers.filter(({ status }) => status !== 401))
    assert.ok(good <= 1)
    outcomes[good === 1 ? 'exchanged' : 'invalidated'] += 1
  }
  console.log('outcomes:', outcomes)
})
