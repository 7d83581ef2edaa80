// The clock jumps five minutes forward and back, as after a long sleep or with a bad time server:
// nothing crashes, nothing lives for ever, and what is looked at every second is still looked at.
// Security F04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { retireClientSecret } from '../src/apps/client-secret-store.ts'
import { openDatabase } from '../src/db/open.ts'
import { exchange, freshCode, isActive, type Story, startStory } from './story.ts'

const JUMP_SECONDS = 300
const TOKEN_SECONDS = 3600

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story?.close())

async function issue(): Promise<string> {
  const answer = await exchange(story, await freshCode(story))
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().access_token
}

/** Time passes while a user is active, so that no sign-in idles out. */
async function work(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 600) {
    story.service.clock.advance(Math.min(left, 600))
    assert.equal((await story.api('GET', '/api/users/me')).statusCode, 200)
  }
}

test('tokens from before, during and after a clock jump expire in time [F04, C10]', async () => {
  const { clock } = story.service
  const start = clock()
  const tokens = [await issue()]
  // Back behind the moment at which the signing key was made.
  clock.advance(-JUMP_SECONDS)
  tokens.push(await issue())
  clock.advance(2 * JUMP_SECONDS)
  tokens.push(await issue())
  clock.advance(-JUMP_SECONDS)
  assert.equal(clock(), start)
  const areActive = () => Promise.all(tokens.map((token) => isActive(story, token)))
  assert.deepEqual(await areActive(), [true, true, true])
  await work(TOKEN_SECONDS - JUMP_SECONDS)
  assert.deepEqual(await areActive(), [true, false, true])
  await work(JUMP_SECONDS)
  assert.deepEqual(await areActive(), [false, false, true])
  await work(JUMP_SECONDS)
  assert.deepEqual(await areActive(), [false, false, false])
})

test('a code expires after a clock jump forward, and after one back [F04, C02]', async () => {
  const { clock } = story.service
  const [first, second] = [await freshCode(story), await freshCode(story)]
  clock.advance(JUMP_SECONDS)
  assert.equal((await exchange(story, first)).json().error, 'invalid_grant')
  const third = await freshCode(story)
  clock.advance(-JUMP_SECONDS)
  assert.equal((await exchange(story, second)).statusCode, 200)
  clock.advance(JUMP_SECONDS + 61)
  assert.equal((await exchange(story, third)).json().error, 'invalid_grant')
})

test('refuses a secret retired on another node within a second of a jump [F04, K02]', async (t) => {
  const { clock, service } = story.service
  const other = await openDatabase(service.config.databaseUrl)
  t.after(() => other.close())
  for (const jump of [-JUMP_SECONDS, JUMP_SECONDS]) {
    const app = await story.registerApp(`app${jump}`)
    const { clientId: client_id, secret: client_secret } = app
    const introspect = async () => {
      const payload = { token: 'at_any', client_id, client_secret }
      const answer = await story.request({ method: 'POST', url: '/app-auth/introspect', payload })
      return answer.statusCode
    }
    assert.equal(await introspect(), 200)
    const [secret] = (await story.api('GET', `/api/apps/${app.id}/secrets`)).json().items
    assert.equal(await retireClientSecret(other, app.id, secret.id, clock()), true)
    clock.advance(jump)
    assert.equal(await introspect(), 401, `after a jump of ${jump} s`)
    assert.equal((await story.request({ url: '/health/ready' })).statusCode, 200)
  }
})
