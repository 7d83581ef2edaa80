// docs/build/by-hand.md for a server without a library: its client assertion and its PKCE, run as they stand there,
// and its endpoints with HTTP Basic. Contract §2, requirement P08.
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { byAssertion } from './app-keys.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

const page = readFileSync(new URL('../../../docs/build/by-hand.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)

/** Runs the block of the page that has the name, and gives what it names. */
async function runBlock(name: string): Promise<Record<string, unknown>> {
  const block = blocks.find((text) => new RegExp(`\\b(const|function) ${name}\\b`).test(text))
  assert.ok(block, `the page has no block with ${name}`)
  const source = `${block}\nexport { ${name}${name === 'challenge' ? ', verifier' : ''} }`
  return import(`data:text/javascript,${encodeURIComponent(source)}`)
}

test('the client assertion of the page authenticates a server [P08]', async (t) => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'one' }]
  const patched = await story.api('PATCH', `/api/apps/${story.app.id}`, { jwks: { keys } })
  assert.equal(patched.statusCode, 200)
  const { clientAssertion } = await runBlock('clientAssertion')
  const privateKey = createPrivateKey(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const { issuerUrl } = story.service.service.config
  const sign = clientAssertion as (...given: unknown[]) => string
  // The clock of a story stands still.
  t.mock.timers.enable({ apis: ['Date'], now: story.service.clock() })
  const assertion = sign(issuerUrl, story.app.clientId, privateKey, 'one')
  const answer = await exchange(story, await freshCode(story), byAssertion(assertion))
  assert.equal(answer.statusCode, 200, answer.body)
})

test('the PKCE of the page, and its endpoints with HTTP Basic, work as it says', async () => {
  const { challenge, verifier } = await runBlock('challenge')
  const pkce = { code_challenge: String(challenge), code_challenge_method: 'S256' }
  const code = await freshCode(story, pkce)
  const { access_token: token } = (await exchange(story, code, { code_verifier: verifier })).json()
  const pair = `${story.app.clientId}:${story.app.secret}`
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  const post = (path: string) =>
    story.request({
      method: 'POST',
      url: `/app-auth/${path}`,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `token=${token}`,
    })
  const live = (await post('introspect')).json()
  assert.ok(live.active && live.launch_id && live.exp)
  const { statusCode, body } = await post('revoke')
  assert.deepEqual([statusCode, body], [200, '{}'])
  assert.deepEqual((await post('introspect')).json(), { active: false })
})
