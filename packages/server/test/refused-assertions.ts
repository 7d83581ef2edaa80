// An exchange for each reason why a client assertion is refused, with the error that comes back. Owns no
// expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import {
  type AppKeyPair,
  type AssertionChanges,
  byAssertion,
  makeAppKey,
  signAssertion,
} from './app-keys.ts'
import { exchange, freshCode, type Story } from './story.ts'

export function refusedAssertions(storyOf: () => Story) {
  let key: AppKeyPair | undefined
  const exchangeWith = async (changes: AssertionChanges): Promise<string> => {
    const story = storyOf()
    key ??= await makeAppKey('ES256', 'one')
    const jwks = { keys: [key.publicJwk] }
    assert.equal((await story.api('PATCH', `/api/apps/${story.app.id}`, { jwks })).statusCode, 200)
    const assertion = await signAssertion(story, story.app.clientId, key, changes)
    const answer = await exchange(story, await freshCode(story), byAssertion(assertion))
    return String(answer.json().error)
  }
  return {
    assertion_malformed: () => exchangeWith({ claims: { jti: undefined } }),
    assertion_audience: () => exchangeWith({ claims: { aud: 'https://other.example' } }),
    assertion_expired: () => exchangeWith({ claims: { exp: 1 } }),
    assertion_key: () => exchangeWith({ header: { kid: 'two' } }),
    assertion_replayed: async () => {
      await exchangeWith({ claims: { jti: 'once' } })
      return exchangeWith({ claims: { jti: 'once' } })
    },
  }
}
