// The keys of ID tokens as an administrator of the platform changes them: what is listed, who signs next, a leaked key,
// and what the audit trail says. Security J05 to J07, P02.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exchange, freshCode, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

interface Key {
  readonly kid: string
  readonly alg: string
  readonly state: string
}

const list = async (): Promise<Key[]> => (await story.api('GET', '/api/signing-keys')).json().items

async function signer(): Promise<string> {
  // Nodes read what has changed once a second.
  story.service.clock.advance(2)
  await story.service.service.cacheVersions.check()
  const { id_token: token } = (await exchange(story, await freshCode(story))).json()
  return JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString()).kid
}

test('rotates when every verifier can have the key, and says who did', async () => {
  const [first, ...standby] = await list()
  assert.equal(first?.state, 'signing')
  const answer = await story.api('POST', '/api/signing-keys/rotate', {
    ...{ alg: 'RS256', afterSeconds: 0 },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const { kid, signsFrom } = answer.json()
  assert.ok(standby.every((key) => key.kid === kid))
  assert.ok(Date.parse(signsFrom) > story.service.clock())
  assert.equal(await signer(), first?.kid)
  story.service.clock.advance((Date.parse(signsFrom) - story.service.clock()) / 1000 + 1)
  assert.equal(await signer(), kid)
  const states = new Map((await list()).map((key) => [key.kid, key.state]))
  assert.deepEqual([states.get(kid), states.get(first?.kid ?? '')], ['signing', 'retiring'])
  const [event] = (await story.api('GET', '/api/audit-events?action=rotateKeys')).json().items
  assert.deepEqual([event.outcome, event.detail.next], ['ok', kid])
  assert.match(event.actor, /^usr_/)
})

test('withdraws a leaked key at once, and shows no private key', async () => {
  const leaked = await signer()
  const answer = await story.api('POST', '/api/signing-keys/revoke', { kid: leaked })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(await signer(), answer.json().kid)
  assert.equal((await list()).find(({ kid }) => kid === leaked)?.state, 'retired')
  const jwks = await story.service.server.inject('/app-auth/.well-known/jwks.json')
  assert.ok(jwks.json().keys.every(({ kid }: Key) => kid !== leaked))
  const again = await story.api('POST', '/api/signing-keys/revoke', { kid: leaked })
  assert.equal(again.statusCode, 409)
  const [shown] = await list()
  const names = ['alg', 'createdAt', 'kid', 'publishedUntil', 'signsFrom', 'state']
  assert.deepEqual(Object.keys(shown ?? {}).sort(), names)
})

test('makes one of two changes at a time, and the other a conflict', async () => {
  const rotate = () => story.api('POST', '/api/signing-keys/revoke', { kid })
  const kid = await signer()
  const codes = (await Promise.all([rotate(), rotate()])).map(({ statusCode }) => statusCode)
  assert.ok(codes.includes(200), `${codes}`)
  assert.ok(
    codes.every((code) => [200, 404, 409].includes(code)),
    `${codes}`,
  )
  assert.equal((await list()).filter(({ state }) => state === 'signing').length, 1)
})
