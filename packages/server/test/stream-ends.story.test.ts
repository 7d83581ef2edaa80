// A host learns at once, by its event stream, that the EHR session has ended: with the membership, the
// login method or the sign-in of its person, or with the account. Contract §3 and §5, security L04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { POLLING } from '../src/cluster/session-broadcast.ts'
import { insertMethodStatement } from '../src/credentials/login-method-store.ts'
import { ALWAYS } from '../src/db/sql.ts'
import { openStream } from './event-stream.ts'
import { beginPeople, otherAccount, PASSWORD, person } from './people.ts'
import { type Story, signIn, startStory } from './story.ts'
import { isOnPostgres, startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
  await story.service.server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => story.close())

/** The open stream of an EHR session in an account of its own, read by an administrator. */
async function openedIn() {
  const account = await otherAccount()
  const provider = await person(account)
  const body = { accountId: account, ehrType: 'meadow', deviceId: 'd' }
  const opened = await provider.api('POST', '/api/sessions', body)
  assert.equal(opened.statusCode, 201, opened.body)
  const stream = await openStream(story.service, opened.json().id, story.adminToken)
  const ended = async () => {
    const { found, tookMs } = await stream.next(({ event }) => event === 'ended')
    assert.ok(tookMs < 1000, `${tookMs} ms`)
    return found.data.reason
  }
  return { account, provider, stream, ended }
}

test('tells the host of the end of a membership within a second [L04]', async (t) => {
  const { account, provider, stream, ended } = await openedIn()
  t.after(() => stream.close())
  const url = `/api/accounts/${account}/members/${provider.id}`
  assert.equal((await story.api('DELETE', url)).statusCode, 204)
  assert.equal(await ended(), 'revoked')
})

// An embedded database has one node.
if (isOnPostgres) {
  test('tells the host on another node that a directory ended the membership', async (t) => {
    const { account, provider, stream, ended } = await openedIn()
    t.after(() => stream.close())
    const second = await startTestService({}, { beside: story.service })
    t.after(() => second.close())
    const made = await story.api('POST', `/api/accounts/${account}/scim-tokens`, {})
    const ask = (method: 'GET' | 'DELETE', path: string) =>
      second.server.inject({
        ...{ method, url: `/scim/v2/${account}/Users${path}` },
        headers: { authorization: `Bearer ${made.json().token}` },
      })
    const filter = encodeURIComponent(`userName eq "${provider.email}"`)
    const [member] = (await ask('GET', `?filter=${filter}`)).json().Resources
    assert.equal((await ask('DELETE', `/${member.id}`)).statusCode, 204)
    // The job that asks for the notifications of other nodes.
    const timer = setInterval(() => story.service.service.subscriptions.poll(), POLLING.everyMs)
    t.after(() => clearInterval(timer))
    assert.equal(await ended(), 'revoked')
  })
}

test('tells the host of the end of the account within a second [L04]', async (t) => {
  const { account, stream, ended } = await openedIn()
  t.after(() => stream.close())
  assert.equal((await story.api('DELETE', `/api/accounts/${account}`)).statusCode, 204)
  assert.equal(await ended(), 'account_closed')
})

test('tells the host of a sign-in that its person ended elsewhere [L04]', async (t) => {
  const { provider, stream, ended } = await openedIn()
  t.after(() => stream.close())
  const elsewhere = await signIn(story.service, { email: provider.email, password: PASSWORD })
  const headers = { authorization: `Bearer ${elsewhere}` }
  const listed = await story.request({ url: '/api/users/me/sign-ins', headers })
  const other = listed.json().items.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
  const url = `/api/users/me/sign-ins/${other.id}`
  const strange = await story.api('DELETE', url)
  assert.equal(strange.statusCode, 404, 'of another person')
  assert.equal((await story.request({ method: 'DELETE', url, headers })).statusCode, 204)
  assert.equal(await ended(), 'signed_out')
})

test('tells the host of a login method that its person removed [L04, V06]', async (t) => {
  const { provider, stream, ended } = await openedIn()
  t.after(() => stream.close())
  const { service, clock } = story.service
  const method = { id: 'mth_other', kind: 'oidc', label: 'Other', subject: 'other' } as const
  await service.db.write(insertMethodStatement(provider.id, method, clock(), ALWAYS))
  const elsewhere = await signIn(story.service, { email: provider.email, password: PASSWORD })
  const headers = { authorization: `Bearer ${elsewhere}` }
  const url = '/api/users/me/login-methods/mth_other'
  const removed = await story.request({ method: 'DELETE', url, headers })
  assert.equal(removed.statusCode, 204, removed.body)
  assert.equal(await ended(), 'revoked')
})
