// A stolen session of an administrator, hours old, becomes no lasting access: every write that gives access,
// weakens a protection or makes a secret takes a sign-in of the last ten minutes, by the column of the route
// table. Contract §3, security V21, V22.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JSONSchema } from 'json-schema-to-ts'
import { sql } from '../src/db/sql.ts'
import type { Route } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import { linkIn, startMailServer } from './mail-server.ts'
import { as, beginPeople, invite, joinAs, PASSWORD, person } from './people.ts'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

const HOURS = 3600

let story: Story
let mail: Awaited<ReturnType<typeof startMailServer>>
before(async () => {
  mail = await startMailServer()
  story = await startStory({ ...mail.environment, CHARTSIDE_SESSION_IDLE_SECONDS: '86400' })
  beginPeople(story)
})
after(async () => {
  await story.close()
  await mail.close()
})

/** A member of an answer that opens something for its holder. */
const OPENS = /^(url|invitationUrl|secret|token|recoveryCodes|launchUrl|seed)$/

function listMembers(schema: JSONSchema | string | undefined): string[] {
  if (typeof schema !== 'object') return []
  const { properties = {}, items } = schema
  const inside =
    typeof items === 'object' && !Array.isArray(items) ? listMembers(items as JSONSchema) : []
  return [
    ...Object.entries(properties).flatMap(([name, one]) => [name, ...listMembers(one)]),
    ...inside,
  ]
}

/** Operations whose answer opens something and which need no recent sign-in, each with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  signIn: 'is the sign-in itself',
  pollToken: 'gives a client the token of a sign-in that was approved just now',
  openSession: 'opens launches of minutes beside a chart, all day long',
  openLaunch: 'opens one launch of minutes',
  createApp: 'its Launch URL is no secret, and no practice runs the app yet',
  preflightApp: 'its addresses are what the app has registered',
}

/** Operations that change roles, rules, keys or people. */
const CHANGES = [
  'patchUser',
  'removeUser',
  'eraseUser',
  'eraseAccount',
  'patchMember',
  'removeMember',
  'removeLoginMethod',
  'removeSecondFactor',
  'patchAccount',
  'patchApp',
  'letAppRunInAccount',
  'letAppRunOnEhr',
  // An app that is added gets the launches of every practice that runs the collection.
  'publishVersion',
]

test('demands a recent sign-in of each operation that opens or changes access [V21]', () => {
  const api = (ROUTES as readonly Route[]).filter((route) => route.surface === 'api')
  const opening = api.filter(({ method, answers, operation }) =>
    method !== 'GET' || operation === 'pollToken'
      ? Object.values(answers)
          .flatMap(listMembers)
          .some((name) => OPENS.test(name))
      : false,
  )
  const wanted = [...new Set([...opening.map(({ operation }) => operation), ...CHANGES])].sort()
  assert.ok(wanted.includes('createSecret') && wanted.includes('resetMember'))
  const actual = api.filter(({ recentAuth }) => recentAuth).map(({ operation }) => operation)
  assert.deepEqual(
    wanted.filter((operation) => !actual.includes(operation) && !(operation in WITHOUT)),
    [],
    'give the route recentAuth, or a reason here',
  )
  assert.deepEqual(
    Object.keys(WITHOUT).filter((operation) => !wanted.includes(operation)),
    [],
  )
})

test('makes of an old administrator session no link, secret, role or person [V21]', async () => {
  const old = as(await signIn(story.service, ADMIN))
  const other = await person()
  story.service.clock.advance(8 * HOURS)
  const { id: own } = (await old('GET', '/api/users/me')).json()
  const { items } = (await old('GET', `/api/apps/${story.app.id}/secrets`)).json()
  const secretId: string = items[0].id
  const account = `/api/accounts/${story.accountId}`
  const collectionId: string = (await old('GET', account)).json().collection.id
  const invited = { email: 'evil@evil.example', name: 'Evil' }
  const moved = { redirectUris: ['https://evil.example/'] }
  const attempts: readonly (readonly ['POST' | 'PATCH' | 'DELETE', string, object?])[] = [
    ['POST', `/api/users/${own}/reset`],
    ['POST', `/api/users/${other.id}/reset`],
    ['DELETE', `/api/users/${other.id}`],
    ['PATCH', `/api/users/${other.id}`, { role: 'admin' }],
    ['POST', '/api/users', { ...invited, role: 'member' }],
    ['POST', `${account}/members`, { ...invited, role: 'admin' }],
    ['POST', `${account}/members/${other.id}/reset`],
    ['PATCH', `${account}/members/${other.id}`, { role: 'admin' }],
    ['PATCH', account, { requireSecondFactor: false }],
    ['PATCH', account, { requireSecondFactor: null }],
    ['POST', `/api/apps/${story.app.id}/secrets`, {}],
    ['PATCH', `/api/apps/${story.app.id}/secrets/${secretId}`, { retiresAt: null }],
    ['PATCH', `/api/apps/${story.app.id}`, moved],
    ['PATCH', `/api/apps/${story.app.id}`, { requirePkce: false }],
    ['PATCH', `/api/apps/${story.app.id}`, { enabled: true }],
    ['DELETE', `${account}/stopped-apps/${story.app.id}`],
    ['DELETE', `/api/apps/${story.app.id}/stopped-ehrs/meadow`],
    ['PATCH', account, { collection: null }],
    ['POST', `/api/collections/${collectionId}/versions`, {}],
    ['POST', '/api/users/me/login-methods'],
    ['POST', '/api/users/me/second-factor'],
    ['POST', '/api/users/me/second-factor/confirm', { code: '000000' }],
    ['POST', '/api/accounts/import', { practices: [{ externalId: 'x', name: 'X' }] }],
  ]
  for (const [method, url, body] of attempts) {
    const answer = await old(method, url, body)
    const name = `${method} ${url} ${JSON.stringify(body)}`
    assert.deepEqual([answer.statusCode, answer.json().code], [403, 'sign_in_again'], name)
  }
  // What stops something stays urgent, and what opens nothing stays quick.
  const off = await old('PATCH', `/api/apps/${story.app.id}`, { enabled: false })
  assert.equal(off.statusCode, 200, off.body)
  assert.equal((await old('PATCH', account, { name: 'Lakeside' })).statusCode, 200)
  assert.equal((await story.api('POST', `/api/apps/${story.app.id}/secrets`, {})).statusCode, 201)
})

async function administrator() {
  const { id, email, invitationUrl } = await invite(story.accountId, { role: 'admin' })
  await joinAs(invitationUrl)
  return { id, email, api: as(await signIn(story.service, { email, password: PASSWORD })) }
}

test('resets no administrator by themselves [V22]', async () => {
  const { id, api } = await administrator()
  const member = `/api/accounts/${story.accountId}/members/${id}/reset`
  const own = await api('POST', member)
  assert.deepEqual([own.statusCode, own.json().code], [409, 'conflict'], own.body)
  const { id: root } = (await story.api('GET', '/api/users/me')).json()
  assert.equal((await story.api('POST', `/api/users/${root}/reset`)).statusCode, 409)
})

test('mails the link of an administrator to them, and a notice to the others [V22]', async () => {
  const [first, second] = [await administrator(), await administrator()]
  mail.mails.length = 0
  const url = `/api/accounts/${story.accountId}/members/${second.id}/reset`
  const answer = await first.api('POST', url)
  assert.equal(answer.statusCode, 202, answer.body)
  assert.deepEqual(Object.keys(answer.json()), ['sentTo', 'expiresAt'])
  assert.equal(answer.json().sentTo, second.email)
  const to = mail.mails.map(({ to: [address] }) => address)
  assert.equal(to[0], second.email)
  assert.ok(to.includes(first.email) && !to.slice(1).includes(second.email))
  assert.match(linkIn(mail.mails[0] as never), /\/auth\/invitation\?token=invite_/)
  for (const notice of mail.mails.slice(1)) assert.doesNotMatch(notice.raw, /invite_/)
  const trail = await first.api('GET', `/api/accounts/${story.accountId}/audit-events?limit=200`)
  const events: { action: string; target: string }[] = trail.json().items
  assert.ok(events.some(({ action, target }) => action === 'resetMember' && target === second.id))
})

test('mails the link of one who was an administrator lately, too [V22]', async () => {
  const first = await administrator()
  const members = `/api/accounts/${story.accountId}/members`
  const take: ((id: string) => ReturnType<typeof first.api>)[] = [
    (id) => first.api('PATCH', `${members}/${id}`, { role: 'provider' }),
    (id) =>
      first.api('POST', `/api/accounts/${story.accountId}/members/changes`, {
        members: [id],
        role: 'viewer',
      }),
    (id) => first.api('DELETE', `${members}/${id}`),
    (id) =>
      first.api('POST', `/api/accounts/${story.accountId}/members/changes`, {
        members: [id],
        remove: true,
      }),
  ]
  for (const act of take) {
    const second = await administrator()
    assert.ok((await act(second.id)).statusCode < 300)
    mail.mails.length = 0
    const answer = await story.api('POST', `/api/users/${second.id}/reset`)
    assert.deepEqual([answer.statusCode, answer.json().url], [202, undefined], answer.body)
    assert.equal(mail.mails[0]?.to[0], second.email)
  }
  const other = await administrator()
  await story.api('PATCH', `/api/users/${other.id}`, { role: 'admin' })
  await story.api('PATCH', `${members}/${other.id}`, { role: 'provider' })
  await story.service.service.db.write(
    sql`UPDATE users SET administered_until = NULL WHERE id = ${other.id}`,
  )
  await story.api('PATCH', `/api/users/${other.id}`, { role: 'member' })
  assert.equal((await story.api('POST', `/api/users/${other.id}/reset`)).statusCode, 202)
  await story.service.service.db.write(
    sql`UPDATE users SET administered_until = 1 WHERE id = ${other.id}`,
  )
  const later = await story.api('POST', `/api/users/${other.id}/reset`)
  assert.equal(later.statusCode, 201, later.body)
})

test('leaves no link open when the mail of a reset is not taken [V22]', async () => {
  const [first, second] = [await administrator(), await administrator()]
  const url = `/api/accounts/${story.accountId}/members/${second.id}/reset`
  mail.refuse('no such mailbox')
  const failed = await first.api('POST', url)
  mail.refuse(undefined)
  assert.deepEqual([failed.statusCode, failed.json().code], [503, 'temporarily_unavailable'])
  const open = await story.service.service.db.read(
    sql`SELECT id FROM invitations WHERE user_id = ${second.id} AND used_at IS NULL`,
  )
  assert.deepEqual(open, [])
})
