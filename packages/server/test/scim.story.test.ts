// SCIM for the directory of an account, with bodies in the shape that Entra ID and Okta send: memberships come,
// change and end with their sessions, and those of no other account. Contract §13, security P01, V10.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { beginPeople, invite, joinAs, otherAccount, PASSWORD, person } from './people.ts'
import { assertRead, patchedByScimmy } from './scim/scimmy.ts'
import { authorize, exchange, isActive, type Story, signIn, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

const BODIES = JSON.parse(
  readFileSync(new URL('./scim/directory-bodies.json', import.meta.url), 'utf8'),
)

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let story: Story
let token: string
before(async () => {
  story = await startStory()
  beginPeople(story)
  token = await tokenOf(story.accountId)
})
after(() => story.close())

async function tokenOf(accountId: string): Promise<string> {
  return (await story.api('POST', `/api/accounts/${accountId}/scim-tokens`, {})).json().token
}

async function scim(method: string, path: string, payload?: object, bearer = token) {
  const answer = await story.service.server.inject({
    method: method as 'GET',
    url: `/scim/v2/${story.accountId}${path}`,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
    ...(payload ? { payload: JSON.stringify(payload) } : {}),
  })
  if (answer.statusCode !== 204) {
    assert.match(String(answer.headers['content-type']), /^application\/scim\+json/, answer.body)
    assertRead(answer.json())
  }
  return answer
}

const find = async (filter: string) =>
  (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json()

test('adds, finds, changes and ends a person of Entra ID', async () => {
  assert.equal((await find('userName eq "unknown@lakeside.example"')).totalResults, 0)
  const made = await scim('POST', '/Users', BODIES.entraCreate.body)
  assert.equal(made.statusCode, 201, made.body)
  const user = made.json()
  assert.deepEqual([user.userName, user.active], ['Mei.Tanaka@lakeside.example', true])
  const again = await scim('POST', '/Users', BODIES.entraCreate.body)
  assert.deepEqual([again.statusCode, again.json().scimType], [409, 'uniqueness'])
  for (const filter of [
    'userName eq "mei.tanaka@LAKESIDE.example"',
    'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
    'emails[type eq "work"].value eq "mei.tanaka@lakeside.example"',
  ]) {
    assert.equal((await find(filter)).Resources[0]?.id, user.id, filter)
  }
  assert.equal((await find('userName sw "mei"')).scimType, 'invalidFilter')

  const changed = await scim('PATCH', `/Users/${user.id}`, BODIES.entraChange.body)
  assert.equal(changed.statusCode, 200, changed.body)
  const { name, emails, externalId } = changed.json()
  assert.deepEqual(
    [name.givenName, name.familyName, emails[0].value, externalId],
    ['Mei', 'Tanaka-Roe', 'm.tanaka@lakeside.example', user.externalId],
  )
  const off = await scim('PATCH', `/Users/${user.id}`, BODIES.entraDisable.body)
  assert.equal(off.json().active, false)
  assert.equal((await scim('GET', `/Users/${user.id}`)).json().active, false)
  const on = await scim('PATCH', `/Users/${user.id}`, BODIES.entraEnable.body)
  assert.equal(on.json().active, true, on.body)
  assert.equal((await scim('DELETE', `/Users/${user.id}`)).statusCode, 204)
  assert.equal((await scim('GET', `/Users/${user.id}`)).statusCode, 404)
})

test('keeps what Okta does not name, and answers its tests of the connection', async () => {
  const made = (await scim('POST', '/Users', BODIES.oktaCreate.body)).json()
  const put = (await scim('PUT', `/Users/${made.id}`, BODIES.oktaPut.body)).json()
  assert.deepEqual(
    [put.active, put.externalId, put.displayName],
    [true, '00ujl29u0le5T6Aj10h7', 'Jo Berg-Lind'],
  )
  await person()
  const page = (await scim('GET', '/Users?startIndex=1&count=1')).json()
  assert.equal(page.itemsPerPage, 1)
  const next = (await scim('GET', '/Users?startIndex=2&count=1')).json()
  assert.notEqual(next.Resources[0].id, page.Resources[0].id)
  assert.equal((await scim('GET', '/ServiceProviderConfig')).json().bulk.maxOperations, 0)
  assert.equal((await scim('GET', '/Groups')).json().totalResults, 0)
  assert.equal((await scim('POST', '/Groups', {})).statusCode, 501)
  const off = await scim('PATCH', `/Users/${made.id}`, BODIES.oktaDisable.body)
  assert.equal(off.json().active, false)
})

test('ends session, launch and token with the membership, and lets the person return', async () => {
  const { email, token: session } = await person()
  const opening = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'device-7' }
  const call = (url: string, payload: object) =>
    story.request({
      ...{ method: 'POST', url, payload },
      headers: { authorization: `Bearer ${session}` },
    })
  const opened = (await call('/api/sessions', opening)).json()
  const body = { appId: story.app.id, kind: 'ui' }
  const { launchId } = (await call(`/api/sessions/${opened.id}/launches`, body)).json()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const access = (await exchange(story, code)).json().access_token
  assert.equal(await isActive(story, access), true)

  const [found] = (await find(`userName eq "${email}"`)).Resources
  const off = await scim('PATCH', `/Users/${found.id}`, BODIES.entraDisable.body)
  assert.equal(off.statusCode, 200, off.body)
  assert.equal(await isActive(story, access), false)
  assert.equal((await call('/api/sessions', opening)).statusCode, 404)
  await scim('PATCH', `/Users/${found.id}`, BODIES.entraEnable.body)
  assert.equal((await call('/api/sessions', opening)).statusCode, 201)
})

test('shows a person whom the platform has disabled as inactive', async () => {
  const { id } = await person()
  assert.equal((await scim('GET', `/Users/${id}`)).json().active, true)
  assert.equal((await story.api('PATCH', `/api/users/${id}`, { disabled: true })).statusCode, 200)
  assert.equal((await scim('GET', `/Users/${id}`)).json().active, false)
})

test('invites a person whom the platform has removed, and restores nothing', async () => {
  const { id, email } = await person()
  await scim('PATCH', `/Users/${id}`, { ...BODIES.entraChange.body })
  await scim('PATCH', `/Users/${id}`, BODIES.entraDisable.body)
  assert.equal((await story.api('DELETE', `/api/users/${id}`)).statusCode, 204)
  const back = await scim('PATCH', `/Users/${id}`, BODIES.entraEnable.body)
  assert.equal(back.json().active, true, back.body)
  const { items } = (await story.api('GET', `/api/accounts/${story.accountId}/members`)).json()
  const [listed] = items.filter((one: { email: string }) => one.email === email)
  assert.equal(listed?.state, 'invited')
  await assert.rejects(signIn(story.service, { email, password: PASSWORD }))
})

test('takes over no existing person and touches no other account [V10, V42]', async () => {
  const elsewhere = await otherAccount()
  const member = await invite(elsewhere)
  await joinAs(member.invitationUrl)
  const created = await scim('POST', '/Users', {
    userName: member.email,
    displayName: 'Renamed',
    active: true,
  })
  assert.equal(created.statusCode, 201, created.body)
  const session = await signIn(story.service, { email: member.email, password: PASSWORD })
  const me = await story.request({
    url: '/api/users/me',
    headers: { authorization: `Bearer ${session}` },
  })
  const { name, memberships } = me.json()
  assert.deepEqual([name, memberships.length], [member.name, 1], 'invited, not joined')
  // An invitation that was withdrawn and made again is an invitation still.
  await scim('PATCH', `/Users/${created.json().id}`, BODIES.entraDisable.body)
  await scim('PATCH', `/Users/${created.json().id}`, BODIES.entraEnable.body)
  const path = `/api/accounts/${story.accountId}/members?q=${encodeURIComponent(member.email)}`
  assert.equal((await story.api('GET', path)).json().items[0]?.state, 'invited')

  const foreign = await tokenOf(elsewhere)
  assert.equal((await scim('GET', '/Users', undefined, foreign)).statusCode, 401)
  const { id } = created.json()
  const other = await story.service.server.inject({
    url: `/scim/v2/${elsewhere}/Users/${id}`,
    headers: { authorization: `Bearer ${foreign}` },
  })
  assert.equal(other.statusCode, 404)
})

test('keeps the last administrator of the account [V42]', async () => {
  const account = await otherAccount()
  const admins = [await person(account, 'admin'), await person(account, 'admin')]
  const bearer = await tokenOf(account)
  const remove = (id: string) =>
    story.service.server.inject({
      ...{ method: 'DELETE', url: `/scim/v2/${account}/Users/${id}` },
      headers: { authorization: `Bearer ${bearer}` },
    })
  const ids = await Promise.all(
    admins.map(async ({ email }) => {
      const filter = encodeURIComponent(`userName eq "${email}"`)
      const answer = await story.service.server.inject({
        url: `/scim/v2/${account}/Users?filter=${filter}`,
        headers: { authorization: `Bearer ${bearer}` },
      })
      return answer.json().Resources[0].id
    }),
  )
  const answers = await Promise.all(ids.map(remove))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [204, 409])
})

test('answers directories from the regions of their own setting', async () => {
  const node = await startTestService({
    CHARTSIDE_DIRECTORY_REGIONS: 'US',
    CHARTSIDE_TRUSTED_PROXIES: 'loopback',
  })
  const answer = await node.server.inject({
    url: '/scim/v2/acc_x/Users',
    headers: { 'x-forwarded-for': '2.125.160.216' },
  })
  assert.equal(answer.statusCode, 403, answer.body)
  assert.match(String(answer.headers['content-type']), /scim\+json/)
  await node.close()
})

/** Without `formatted`, which follows from the other names where a directory sends none. */
const shownOf = ({ name, ...user }: Readonly<Record<string, unknown>>) => {
  const { givenName, familyName } = name as Readonly<Record<string, unknown>>
  const { userName, displayName, active, externalId, emails } = user
  return { userName, displayName, active, externalId, emails, givenName, familyName }
}

test('changes what a patch names as another implementation does, and keeps the rest', async () => {
  const [userName, work] = ['patch@lakeside.example', 'work@lakeside.example']
  const fields = {
    ...{ userName, displayName: 'Pat Chen', active: true, externalId: 'x-1' },
    ...{ name: { givenName: 'Pat', familyName: 'Chen' }, emails: [{ type: 'work', value: work }] },
  }
  const { id } = (await scim('POST', '/Users', { schemas: [USER], ...fields })).json()
  const patches = [
    [{ op: 'replace', path: 'name.familyName', value: 'Chen-Roe' }],
    [{ op: 'replace', value: { displayName: 'P. Chen', externalId: 'x-2' } }],
    [{ op: 'replace', path: 'active', value: false }],
    [{ op: 'add', path: 'active', value: true }],
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'new@lakeside.example' }],
    [{ op: 'add', value: { name: { givenName: 'Patricia' } } }],
    [
      { op: 'remove', path: 'externalId' },
      { op: 'add', path: 'externalId', value: 'x-3' },
    ],
  ]
  for (const Operations of patches) {
    const expected = await patchedByScimmy((await scim('GET', `/Users/${id}`)).json(), Operations)
    const patched = await scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations })
    assert.equal(patched.statusCode, 200, patched.body)
    assert.deepEqual(shownOf(patched.json()), shownOf(expected), JSON.stringify(Operations))
  }
})

interface Step {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  /** Fields of the answer. */
  readonly expect?: Readonly<Record<string, unknown>>
  /** The name under which later steps know the id of the answer. */
  readonly keep?: string
}

for (const file of ['entra-requests.json', 'okta-requests.json']) {
  test(`answers the requests of ${file} one after the other`, async () => {
    const text = readFileSync(new URL(`./scim/${file}`, import.meta.url), 'utf8')
    const kept: Record<string, string> = {}
    const fill = (given: string) => given.replace(/\{(\w+)\}/g, (all, name) => kept[name] ?? all)
    for (const { what, method, path, body, status, ...step } of JSON.parse(text).steps as Step[]) {
      const payload = body && JSON.parse(fill(JSON.stringify(body)))
      const answer = await scim(method, fill(path), payload)
      assert.equal(answer.statusCode, status, `${what}: ${answer.body}`)
      const shown = status === 204 ? {} : answer.json()
      for (const [name, value] of Object.entries(step.expect ?? {})) {
        assert.deepEqual(shown[name], value, `${what}: ${name}`)
      }
      if (step.keep) kept[step.keep] = shown.id
    }
  })
}
