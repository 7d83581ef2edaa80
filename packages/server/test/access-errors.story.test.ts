// What an HTTP client reads from a refusal without its body: the challenge of a 401 (RFC 6750 §3) and the methods
// of a 405 (RFC 9110 §15.5.6), and that HEAD answers where a page is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('the challenge tells a missing token from one that is wrong or has ended', async () => {
  const challengeOf = async (headers: Record<string, string>) => {
    const answer = await story.request({ method: 'GET', url: '/api/users/me', headers })
    assert.equal(answer.statusCode, 401)
    return answer.headers['www-authenticate']
  }
  const invalid = 'Bearer realm="chartside", error="invalid_token"'
  assert.equal(await challengeOf({}), 'Bearer realm="chartside"')
  assert.equal(await challengeOf({ authorization: 'Bearer nonsense' }), invalid)
  const authorization = `Bearer ${await signIn(story.service, ADMIN)}`
  const signOut = { method: 'POST', url: '/auth/sign-out', headers: { authorization } } as const
  assert.ok((await story.request(signOut)).statusCode < 300)
  assert.equal(await challengeOf({ authorization }), invalid)
})

test('the methods of an address include HEAD where it answers', async () => {
  const allowedAt = async (url: string) => {
    const answer = await story.request({ method: 'PUT', url })
    assert.equal(answer.statusCode, 405, url)
    return String(answer.headers.allow)
  }
  assert.equal(await allowedAt('/api/users/me'), 'GET, PATCH, HEAD')
  assert.equal(await allowedAt('/app-auth/.well-known/jwks.json'), 'GET, HEAD')
  assert.equal(await allowedAt('/app-auth/token'), 'POST')
})

test('HEAD answers for the console as GET does, without the body', async () => {
  for (const url of ['/console', '/console/launches']) {
    const head = await story.request({ method: 'HEAD', url })
    const get = await story.request({ method: 'GET', url })
    assert.deepEqual([head.statusCode, head.body], [200, ''], url)
    assert.equal(head.headers['content-length'], get.headers['content-length'])
  }
  const home = await story.request({ method: 'HEAD', url: '/', headers: { accept: 'text/html' } })
  assert.equal(home.statusCode, 303)
})
