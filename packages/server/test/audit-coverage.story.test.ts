// What the audit trail must hold, action by action: steps of a launch, administration, sign-ins and
// exports, each with who acted. Contract §4 (audit event), security P02, P06, P10.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../src/db/sql.ts'
import { beginPeople, invite, PASSWORD, person } from './people.ts'
import { authorize, exchange, type Story, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())
// Events of one millisecond have no order.
beforeEach(() => story.service.clock.advance(1))

interface ShownEvent {
  readonly id: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly outcome: 'ok' | 'refused'
  readonly ip: string
  readonly launchId?: string
}

/** The newest events of a trail, the newest first. */
async function listTrail(accountId: string): Promise<ShownEvent[]> {
  const answer = await story.api('GET', `/api/audit-events?accountId=${accountId}&limit=200`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items
}

/** What the work adds to a trail, oldest first. */
async function listAdded(accountId: string, work: () => Promise<unknown>): Promise<ShownEvent[]> {
  const before = new Set((await listTrail(accountId)).map(({ id }) => id))
  await work()
  return (await listTrail(accountId))
    .filter(({ id, action }) => !before.has(id) && action !== 'listPlatformAuditEvents')
    .reverse()
}

const show = ({ action, outcome }: ShownEvent) => `${action} ${outcome}`
const tick = () => story.service.clock.advance(1)

test('holds each step of a launch, with its launch and its actor [P02 P06]', async () => {
  const provider = await person()
  const opened = await provider.api('POST', '/api/sessions', {
    accountId: story.accountId,
    ehrType: 'meadow',
    deviceId: 'device-7',
  })
  let id = ''
  const added = await listAdded(story.accountId, async () => {
    const url = `/api/sessions/${opened.json().id}/launches`
    const launch = (await provider.api('POST', url, { appId: story.app.id, kind: 'ui' })).json()
    id = launch.id
    tick()
    await authorize(story, launch.launchId, { scope: 'openid' })
    tick()
    const code = (await authorize(story, launch.launchId)).searchParams.get('code') ?? ''
    tick()
    const { access_token: token } = (await exchange(story, code)).json()
    tick()
    const credentials = { client_id: story.app.clientId, client_secret: story.app.secret }
    const payload = { token, ...credentials }
    await story.request({ method: 'POST', url: '/app-auth/revoke', payload })
    tick()
    await exchange(story, code)
  })
  assert.deepEqual(added.map(show), [
    'launch ok',
    'authorize refused',
    'authorize ok',
    'exchange ok',
    'revoke ok',
    'replay refused',
  ])
  const { clientId } = story.app
  const actors = [provider.id, provider.id, provider.id, clientId, clientId, clientId]
  assert.deepEqual(
    added.map(({ actor }) => actor),
    actors,
  )
  assert.ok(added.every(({ launchId, ip }) => launchId === id && ip === '127.0.0.1'))
})

test('holds administrative changes and exports, by the person who made them [P02 P06]', async () => {
  const [first, second] = [
    await person(story.accountId, 'admin'),
    await person(story.accountId, 'admin'),
  ]
  assert.notEqual(first.id, second.id)
  const members = `/api/accounts/${story.accountId}/members`
  const app = `/api/apps/${story.app.id}`
  const added = await listAdded(story.accountId, async () => {
    await first.api('PATCH', app, { iconUrl: 'https://notes.example/icon.svg' })
    tick()
    const secret = (await second.api('POST', `${app}/secrets`, {})).json()
    tick()
    await first.api('DELETE', `${app}/secrets/${secret.id}`)
    tick()
    await second.api('PATCH', `/api/accounts/${story.accountId}`, { name: 'Lakeside Clinic' })
    tick()
    const { id } = await invite()
    tick()
    await first.api('DELETE', `${members}/${id}`)
    tick()
    await second.api('GET', `/api/accounts/${story.accountId}/audit-events/export`)
  })
  const { id: root } = (await story.api('GET', '/api/users/me')).json()
  assert.deepEqual(
    added.map(({ action, actor, outcome }) => [action, actor, outcome]),
    [
      ['patchApp', first.id, 'ok'],
      ['createSecret', second.id, 'ok'],
      ['retireSecret', first.id, 'ok'],
      ['patchAccount', second.id, 'ok'],
      ['inviteMember', root, 'ok'],
      ['removeMember', first.id, 'ok'],
      ['exportAuditEvents', second.id, 'ok'],
    ],
  )
})

test('gives each person an id of their own, and an address to one person only [P02]', async () => {
  const member = await person()
  const elsewhere = (await story.api('POST', '/api/accounts', { name: 'Hillside' })).json().id
  await invite(elsewhere, { email: member.email.toUpperCase() })
  const { db } = story.service.service
  const people = await db.read(sql`SELECT id FROM users WHERE LOWER(email) = ${member.email}`)
  assert.deepEqual(
    people.map(({ id }) => id),
    [member.id],
  )
})

test('holds every sign-in, right and wrong, with the person once known [P10]', async () => {
  const member = await person()
  const attempts = [
    { email: member.email, password: PASSWORD },
    { email: member.email, password: 'not this one' },
    { email: 'stranger@nowhere.example', password: 'not this one' },
    ADMIN,
  ]
  const added = await listAdded('platform', async () => {
    for (const payload of attempts) {
      tick()
      await story.request({ method: 'POST', url: '/auth/sign-in', payload })
    }
  })
  const ofAccount = (await listTrail(story.accountId)).filter(({ target }) => target === member.id)
  const all = [...added, ...ofAccount]
  const listSignIns = (userId: string) =>
    all.filter(({ action, target }) => action === 'signIn' && target === userId).map(show)
  assert.ok(listSignIns(member.id).includes('signIn ok'))
  assert.ok(listSignIns(member.id).includes('signIn refused'))
  const unknown = added.filter(({ action, actor }) => action === 'signIn' && actor === 'nobody')
  assert.ok(unknown.some(({ outcome }) => outcome === 'refused'))
  assert.equal(JSON.stringify(all).includes('stranger@nowhere.example'), false)
})

test('has no statement that changes or deletes an event of the trail [P06]', () => {
  const packages = fileURLToPath(new URL('../..', import.meta.url))
  const sources = globSync('{server,operator}/src/**/*.ts', { cwd: packages }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  assert.ok(sources.length > 100, `${sources.length} files`)
  const statements = sources.flatMap((path) =>
    [
      ...readFileSync(`${packages}/${path}`, 'utf8').matchAll(
        /\b(\w+(?: FROM| INTO)?) audit_(?:entries|links)\b/g,
      ),
    ]
      .map(([, verb = '']) => `${path}: ${verb}`)
      .filter((statement) => /: (UPDATE|DELETE FROM|TABLE)$/.test(statement)),
  )
  // The migration that makes the tables, and the command that removes what is in a verified archive,
  // which the role of the service may not.
  assert.deepEqual(
    statements.filter(
      (statement) =>
        !/migrations\.ts: TABLE$|archive-store\.ts: (DELETE FROM|UPDATE)$/.test(statement),
    ),
    [],
  )
})
