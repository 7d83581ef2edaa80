// A story whose app has public keys, on two nodes, with each request from a network of its own, since the
// failures of one are limited; and an exchange with an assertion. Owns no expectation beyond the set-up.
import assert from 'node:assert/strict'
import {
  type AppKeyPair,
  type AssertionChanges,
  byAssertion,
  makeAppKey,
  signAssertion,
} from './app-keys.ts'
import { exchange, freshCode, type RegisteredApp, type Story, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

export type AssertionStory = Awaited<ReturnType<typeof startAssertionStory>>

export async function startAssertionStory() {
  const [ec, rsa, foreign] = await Promise.all([
    makeAppKey('ES256', 'ec-1'),
    makeAppKey('RS256', 'rsa-1'),
    makeAppKey('ES256', 'ec-1'),
  ])
  const begun = await startStory()
  const second = await startTestService({}, { beside: begun.service })
  let networks = 0
  const elsewhere = () => {
    networks += 1
    return `10.${networks >> 8}.${networks & 255}.1`
  }
  const story: Story = {
    ...begun,
    request: (asked) => begun.request({ remoteAddress: elsewhere(), ...asked }),
  }
  const there: Story = {
    ...begun,
    request: (asked) => second.server.inject({ remoteAddress: elsewhere(), ...asked }),
  }
  const register = async ({ id }: RegisteredApp, ...keys: AppKeyPair[]) => {
    const jwks = { keys: keys.map(({ publicJwk }) => publicJwk) }
    const answer = await story.api('PATCH', `/api/apps/${id}`, { jwks })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const other = await story.registerApp('other')
  await register(story.app, ec, rsa)
  await register(other, foreign)
  return {
    ...{ story, there, other, ec, rsa, foreign },
    sign: (key: AppKeyPair, changes: AssertionChanges = {}, app = story.app) =>
      signAssertion(story, app.clientId, key, changes),
    /** An exchange of a new code with this assertion. */
    exchangeWith: async (assertion: string, changes: object = {}, node = story) =>
      exchange(node, await freshCode(story), { ...byAssertion(assertion), ...changes }),
    async close() {
      await second.close()
      await story.close()
    },
  }
}
