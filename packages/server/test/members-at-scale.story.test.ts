// Many members at once: changed and removed in one act with one event, exported, and ended by their own time on
// whichever node looks first. Contract §4 (Members).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endExpiredMemberships } from '../src/members/member-expiry.ts'
import { as, beginPeople, invite, otherAccount, person } from './people.ts'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const members = (accountId: string) => `/api/accounts/${accountId}/members`
const rolesOf = async (accountId: string) =>
  (await story.api('GET', members(accountId))).json().items as { id: string; role: string }[]
const eventsOf = async (accountId: string, action: string) => {
  const { items } = (await story.api('GET', `/api/accounts/${accountId}/audit-events`)).json()
  return items.filter((event: { action: string }) => event.action === action)
}
/** The platform's administrator, with a recent sign-in. */
const change = async (accountId: string, body: object) => {
  const admin = as(await signIn(story.service, ADMIN))
  return admin('POST', `${members(accountId)}/changes`, body)
}

test('changes and removes many in one act, with one event that names them', async () => {
  const accountId = await otherAccount()
  const [ada, pat, rae] = [
    await person(accountId, 'admin'),
    await person(accountId),
    await person(accountId),
  ]
  const invited = await invite(accountId)
  const ids = [pat.id, rae.id, invited.id]
  const stranger = await person()
  const changed = await change(accountId, { members: [...ids, stranger.id], role: 'developer' })
  assert.equal(changed.statusCode, 200, changed.body)
  assert.deepEqual(
    changed.json().items.map(({ outcome }: { outcome: string }) => outcome),
    ['changed', 'changed', 'changed', 'not_found'],
  )
  assert.equal((await rolesOf(accountId)).filter(({ role }) => role === 'developer').length, 3)
  const session = { accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const opened = (await pat.api('POST', '/api/sessions', session)).json()
  const gone = await change(accountId, { members: ids, remove: true })
  assert.deepEqual(
    gone.json().items.map(({ outcome }: { outcome: string }) => outcome),
    ['removed', 'removed', 'removed'],
  )
  assert.deepEqual(
    (await rolesOf(accountId)).map(({ id }) => id),
    [ada.id],
  )
  assert.equal((await story.api('GET', `/api/sessions/${opened.id}`)).json().state, 'ended')
  const events = await eventsOf(accountId, 'changeMembers')
  assert.equal(events.length, 2)
  const details = events.map(({ detail }: { detail: Record<string, string> }) => detail)
  const roles = details.find((detail: Record<string, string>) => detail.role === 'developer')
  assert.deepEqual(roles?.people?.split(' ').sort(), ids.sort())
  assert.ok(details.some((detail: Record<string, string>) => detail.remove === 'true'))
})

test('an act on many leaves an administrator, of two at once too', async () => {
  const accountId = await otherAccount()
  const [ada, ben] = [await person(accountId, 'admin'), await person(accountId, 'admin')]
  for (const act of [{ remove: true }, { role: 'provider' }]) {
    const all = await change(accountId, { members: [ada.id, ben.id], ...act })
    assert.equal(all.statusCode, 409, all.body)
  }
  const remove = (one: typeof ada, other: typeof ada) =>
    one.api('POST', `${members(accountId)}/changes`, { members: [other.id], remove: true })
  const both = await Promise.all([remove(ada, ben), remove(ben, ada)])
  const statuses = both.map(({ statusCode }) => statusCode)
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join(' '))
  assert.equal((await rolesOf(accountId)).filter(({ role }) => role === 'admin').length, 1)
})

test('only an administrator with a recent sign-in acts on many, and on the own account', async () => {
  const accountId = await otherAccount()
  const [ada, dev, pat] = [
    await person(accountId, 'admin'),
    await person(accountId, 'developer'),
    await person(accountId),
  ]
  const body = { members: [pat.id], remove: true }
  const url = `${members(accountId)}/changes`
  assert.equal((await dev.api('POST', url, body)).statusCode, 403)
  assert.equal((await (await person()).api('POST', url, body)).statusCode, 404)
  for (const wrong of [{ members: [pat.id] }, { ...body, role: 'admin' }, { members: [] }]) {
    assert.equal((await ada.api('POST', url, wrong)).statusCode, 400, JSON.stringify(wrong))
  }
  story.service.clock.advance(11 * 60)
  assert.equal((await ada.api('POST', url, body)).json().code, 'sign_in_again')
})

test('a membership ends at its time with its session, on one node of two', async () => {
  const accountId = await otherAccount()
  const pat = await person(accountId)
  const ids = { members: [pat.id] }
  const expiresAt = new Date(story.service.clock() + 60_000).toISOString()
  assert.equal(
    (await change(accountId, { ...ids, expiresAt: '2020-01-01T00:00:00Z' })).statusCode,
    400,
  )
  assert.equal((await change(accountId, { ...ids, expiresAt })).statusCode, 200)
  const [shown] = (await story.api('GET', members(accountId))).json().items
  assert.equal(shown.expiresAt, expiresAt)
  const session = { accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const opened = (await pat.api('POST', '/api/sessions', session)).json()
  const second = await startTestService({}, { beside: story.service })
  try {
    const look = () =>
      Promise.all([story.service, second].map(({ service }) => endExpiredMemberships(service)))
    story.service.clock.advance(59)
    await look()
    assert.equal((await pat.api('GET', `/api/sessions/${opened.id}`)).statusCode, 200)
    story.service.clock.advance(1)
    assert.notEqual(
      (await pat.api('POST', '/api/sessions', session)).statusCode,
      201,
      'before a look',
    )
    await look()
  } finally {
    await second.close()
  }
  assert.equal((await story.api('GET', `/api/sessions/${opened.id}`)).json().state, 'ended')
  assert.equal((await pat.api('GET', `/api/accounts/${accountId}`)).statusCode, 404)
  assert.equal((await eventsOf(accountId, 'endMembership')).length, 1)
})

test('an invitation goes with the end of its membership; an end can be taken away', async () => {
  const accountId = await otherAccount()
  const expiresAt = new Date(story.service.clock() + 60_000).toISOString()
  const gone = await invite(accountId, { expiresAt })
  const kept = await invite(accountId, { expiresAt })
  const patched = await story.api('PATCH', `${members(accountId)}/${kept.id}`, { expiresAt: null })
  assert.equal(patched.json().expiresAt, null)
  story.service.clock.advance(61)
  await endExpiredMemberships(story.service.service)
  const left = (await rolesOf(accountId)).map(({ id }) => id)
  assert.deepEqual(left, [kept.id])
  const link = new URL(gone.invitationUrl)
  const page = await story.service.server.inject({ url: link.pathname + link.search })
  assert.match(page.body, /no longer|does not work|expired|used/i)
})

test('exports the members as CSV to administrators, and says so in the trail', async () => {
  const accountId = await otherAccount()
  await invite(accountId, { name: '=HYPERLINK("x")' })
  const ada = await person(accountId, 'admin')
  const url = `${members(accountId)}/export`
  const answer = await ada.api('GET', url)
  assert.match(String(answer.headers['content-type']), /^text\/csv/)
  const [head, ...lines] = answer.body.trimEnd().split('\r\n')
  assert.equal(head, '"name","email","role","state","since","ends"')
  assert.equal(lines.length, 2)
  assert.ok(lines.some((line: string) => line.startsWith('"\'=HYPERLINK(""x"")",')))
  assert.equal((await (await person(accountId)).api('GET', url)).statusCode, 403)
  assert.equal((await eventsOf(accountId, 'exportMembers')).length >= 1, true)
})

test('who becomes a viewer opens no app any more, and sees the account', async () => {
  const accountId = await otherAccount()
  const [ada, pat, rae] = [
    await person(accountId, 'admin'),
    await person(accountId),
    await person(accountId),
  ]
  const session = { accountId, ehrType: 'meadow', deviceId: 'device-1' }
  const open = (who: typeof pat) => who.api('POST', '/api/sessions', session)
  const opened = [(await open(pat)).json().id, (await open(rae)).json().id]
  const url = `${members(accountId)}/${pat.id}`
  assert.equal((await ada.api('PATCH', url, { role: 'viewer' })).json().role, 'viewer')
  assert.equal((await change(accountId, { members: [rae.id], role: 'viewer' })).statusCode, 200)
  for (const id of opened) {
    assert.equal((await story.api('GET', `/api/sessions/${id}`)).json().state, 'ended')
  }
  const refused = await open(pat)
  assert.deepEqual([refused.statusCode, refused.json().code], [403, 'not_allowed'])
  assert.equal((await pat.api('GET', `/api/accounts/${accountId}/audit-events`)).statusCode, 200)
  assert.equal((await pat.api('GET', '/api/users/me')).json().memberships[0].role, 'viewer')
})

test('an administrator of an account resets no viewer of the platform [P02]', async () => {
  const accountId = await otherAccount()
  const [ada, pat] = [await person(accountId, 'admin'), await person(accountId)]
  const patch = await story.api('PATCH', `/api/users/${pat.id}`, { role: 'viewer' })
  assert.equal(patch.statusCode, 200, patch.body)
  assert.equal((await ada.api('POST', `${members(accountId)}/${pat.id}/reset`)).statusCode, 403)
  assert.equal((await pat.api('GET', '/api/users')).statusCode, 200)
  assert.equal((await pat.api('GET', '/api/users/me')).json().role, 'viewer')
  assert.equal((await pat.api('PATCH', `/api/users/${ada.id}`, { disabled: true })).statusCode, 403)
})
