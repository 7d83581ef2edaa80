// What changes between the moment at which a request reads and the one at which it writes: each guard is
// met by the one change that it is there for, in a fixed order. Contract §2 and §3, security C03, L02,
// L04, V12, U06, V06, V07, P01, P04.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { mintInvitation } from '../src/credentials/invitation.ts'
import {
  acceptInvitation,
  insertInvitationStatements,
} from '../src/credentials/invitation-store.ts'
import { insertFirstMethod, listLoginMethods } from '../src/credentials/login-method-store.ts'
import { sql } from '../src/db/sql.ts'
import { newIdIn, parseBearer } from '../src/kernel/identifiers.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { livenessCutoff } from '../src/liveness/liveness.ts'
import { updateLastSeen } from '../src/liveness/liveness-store.ts'
import { findSession, insertSessionStatements } from '../src/sessions/session-store.ts'
import {
  approveFlow,
  deliverFlow,
  insertFlow,
} from '../src/sign-in/client-flow/sign-in-flow-store.ts'
import { endEverySignInStatements, endSignIn, endSignInOf } from '../src/sign-in/sign-in-store.ts'
import { runBeforeWrite } from './before-write.ts'
import { beginPeople, otherAccount, PASSWORD, person } from './people.ts'
import { authorize, exchange, isActive, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())
beforeEach(() => story.service.clock.advance(1))

const beforeWrite = (of: RegExp, change: () => Promise<unknown>) =>
  runBeforeWrite(story.service.service.db, of, change)

const codeOf = (url: URL) => url.searchParams.get('code') ?? ''

test('stores no code on a launch that is exchanged meanwhile [L02]', async () => {
  const { launchId } = await story.launch()
  const code = codeOf(await authorize(story, launchId))
  let token = ''
  const ran = beforeWrite(/SET authorized_at/, async () => {
    token = (await exchange(story, code)).json().access_token
  })
  const url = await authorize(story, launchId)
  assert.ok(ran())
  assert.deepEqual([url.searchParams.get('error'), codeOf(url)], ['access_denied', ''])
  assert.equal(await isActive(story, token), true)
})

test('stores no code on a launch that ends meanwhile [L04]', async () => {
  const { id, launchId } = await story.launch()
  const ran = beforeWrite(/SET authorized_at/, () => story.api('DELETE', `/api/launches/${id}`))
  const url = await authorize(story, launchId)
  assert.ok(ran())
  assert.deepEqual([url.searchParams.get('error'), codeOf(url)], ['access_denied', ''])
})

test('launches nothing in a session that ends meanwhile [L04]', async () => {
  const sessionId = await story.openSession()
  const body = { appId: story.app.id, kind: 'ui' }
  const ran = beforeWrite(/INSERT INTO launches/, () =>
    story.api('DELETE', `/api/sessions/${sessionId}`),
  )
  const answer = await story.api('POST', `/api/sessions/${sessionId}/launches`, body)
  assert.ok(ran())
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'session_ended'])
})

test('launches no app that is disabled meanwhile [V12]', async () => {
  const app = await story.registerApp('stopped')
  const sessionId = await story.openSession()
  const body = { appId: app.id, kind: 'ui' }
  const ran = beforeWrite(/INSERT INTO launches/, () =>
    story.api('PATCH', `/api/apps/${app.id}`, { enabled: false }),
  )
  const answer = await story.api('POST', `/api/sessions/${sessionId}/launches`, body)
  assert.ok(ran())
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'app_not_available'])
})

test('keeps no sign-in alive by activity in a session that ends meanwhile [P04]', async () => {
  const { api } = await person()
  const open = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const { id } = (await api('POST', '/api/sessions', open)).json()
  const { db } = story.service.service
  const seenAt = async () => {
    const [row] = await db.read(
      sql`SELECT s.last_seen_at FROM sign_ins s JOIN ehr_sessions e ON e.sign_in_id = s.id
        WHERE e.id = ${id}`,
    )
    return Number(row?.last_seen_at)
  }
  const before = await seenAt()
  story.service.clock.advance(300)
  const ended = sql`UPDATE ehr_sessions SET ended_at = ${story.service.clock()}, ended_reason = 'closed'
    WHERE id = ${id}`
  const ran = beforeWrite(/UPDATE ehr_sessions AS s SET last_seen_at/, () => db.write(ended))
  const answer = await api('POST', `/api/sessions/${id}/activity`, {})
  assert.ok(ran())
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'session_ended'])
  assert.equal(await seenAt(), before)
})

/** A session of a fresh person, and what opens it straight at the store. */
async function openingSession() {
  const { db, clock, config, randomness } = story.service.service
  const { id: userId, token } = await person()
  const signInId = parseBearer('st', 'sgn', token) ?? ''
  const cutoff = livenessCutoff(clock(), config.sessionIdleSeconds)
  const id = newIdIn(partOf(story.accountId), 'ses', cutoff.now, randomness)
  const account = { id: story.accountId, name: 'Lakeside' }
  const session = {
    ...{ id, signInId, userId, account, ehrType: 'meadow', deviceId: 'd', apps: [] },
    ...{ collection: undefined, ehr: undefined, createdAt: cutoff.now, ended: undefined },
  }
  const isLive = async () => (await findSession(db, id, cutoff))?.ended === undefined
  const isStored = async () => (await findSession(db, id, cutoff)) !== undefined
  const open = () => db.write(...insertSessionStatements(session, cutoff))
  return { userId, signInId, cutoff, open, isStored, isLive }
}

test('leaves no session of a sign-in that ends while it opens [L04, P01]', async () => {
  const { db } = story.service.service
  for (let round = 0; round < 12; round++) {
    const { userId, signInId, cutoff, open, isStored, isLive } = await openingSession()
    const end = { at: cutoff.now, reason: 'revoked' } as const
    const ends = [
      () => endSignIn(db, signInId, cutoff.now),
      () => db.write(...endEverySignInStatements(userId, end)),
      () => endSignInOf(db, userId, signInId, cutoff),
    ]
    await Promise.all([open(), ends[round % 3]?.()])
    assert.ok(!(await isStored()) || !(await isLive()), `round ${round}`)
  }
})

test('ends a session that opens after the sign-out has read its parts [L04]', async () => {
  const { db } = story.service.service
  const { signInId, cutoff, open, isStored, isLive } = await openingSession()
  const ran = beforeWrite(/UPDATE sign_ins AS s SET ended_at/, open)
  await endSignIn(db, signInId, cutoff.now)
  assert.ok(ran())
  assert.deepEqual([await isStored(), await isLive()], [true, false])
})

test('activity reaches a session that opens beside it', async () => {
  const { db, config } = story.service.service
  for (let round = 0; round < 8; round++) {
    const { signInId, cutoff, open } = await openingSession()
    const later = livenessCutoff(cutoff.now + 300_000, config.sessionIdleSeconds)
    // The first part of the sign-in is known by then.
    await db.write(
      sql`UPDATE sign_ins SET parts = ${`${partOf(story.accountId)}`} WHERE id = ${signInId}`,
    )
    await Promise.all([open(), updateLastSeen(db, signInId, later, cutoff.now)])
    const seen = sql`SELECT last_seen_at FROM ehr_sessions WHERE sign_in_id = ${signInId}`
    assert.equal((await db.read(seen))[0]?.last_seen_at, later.now, `round ${round}`)
  }
})

test('signs in no user who is disabled meanwhile [P01]', async () => {
  const { id, email } = await person()
  const { db } = story.service.service
  const disabled = sql`UPDATE users SET disabled_at = ${story.service.clock()} WHERE id = ${id}`
  const ran = beforeWrite(/INSERT INTO sign_ins/, () => db.write(disabled))
  const payload = { email, password: PASSWORD }
  const answer = await story.request({ method: 'POST', url: '/auth/sign-in', payload })
  assert.ok(ran())
  assert.deepEqual([answer.statusCode, answer.json().code], [401, 'wrong_credentials'])
})

test('opens no session for a member who is only invited by then [P01]', async () => {
  const { id, api } = await person()
  const { db } = story.service.service
  const invited = sql`UPDATE members SET invited_at = ${story.service.clock()} WHERE user_id = ${id}`
  const ran = beforeWrite(/INSERT INTO ehr_sessions/, () => db.write(invited))
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const answer = await api('POST', '/api/sessions', body)
  assert.ok(ran())
  assert.equal(answer.statusCode, 401, answer.body)
})

test('opens no session of a sign-in or in an account that ends meanwhile [P01]', async () => {
  const { db, clock } = story.service.service
  const ends = [
    (signInId: string) =>
      sql`UPDATE sign_ins SET ended_at = ${clock()}, ended_reason = 'signed_out' WHERE id = ${signInId}`,
    (_: string, account: string) =>
      sql`UPDATE accounts SET deleted_at = ${clock()} WHERE id = ${account}`,
  ]
  for (const end of ends) {
    const account = await otherAccount()
    const { api, token } = await person(account)
    const ended = end(parseBearer('st', 'sgn', token) ?? '', account)
    const ran = beforeWrite(/INSERT INTO ehr_sessions/, () => db.write(ended))
    const body = { accountId: account, ehrType: 'meadow', deviceId: 'd' }
    const { statusCode } = await api('POST', '/api/sessions', body)
    assert.deepEqual([ran(), statusCode], [true, 401])
    const stored = sql`SELECT id FROM ehr_sessions WHERE account_id = ${account}`
    assert.deepEqual(await db.read(stored), [])
  }
})

test('approves the sign-in of a client once, for the first user who agreed [U06]', async () => {
  const { db } = story.service.service
  const now = story.service.clock()
  const flow = { sessionHash: 'twice', challenge: 'c', createdAt: now, expiresAt: now + 1000 }
  await insertFlow(db, flow)
  const users = [await person(), await person()]
  const approved = []
  for (const { id: userId } of users) {
    const [method] = await listLoginMethods(db, userId)
    const approval = { sessionHash: 'twice', userId, methodId: method?.id ?? '', now }
    approved.push(await approveFlow(db, approval))
  }
  assert.deepEqual(approved, [true, false])
  const times = { createdAt: now, lastSeenAt: now, expiresAt: now + 1000 }
  const minted = { id: 'sgn_twice', tokenHash: 'hash twice', ...times }
  // The flow of another client, which took the place of this one after it was read.
  assert.equal(await deliverFlow(db, 'twice', 'of another client', minted), undefined)
  assert.equal((await deliverFlow(db, 'twice', 'c', minted))?.userId, users[0]?.id)
})

test('binds no first account to a user who has a login method or is disabled [V07]', async () => {
  const { db } = story.service.service
  const now = story.service.clock()
  const [withPassword, disabled] = [await person(), await person()]
  await db.write(
    sql`DELETE FROM login_methods WHERE user_id = ${disabled.id}`,
    sql`UPDATE users SET disabled_at = ${now} WHERE id = ${disabled.id}`,
  )
  for (const { id } of [withPassword, disabled]) {
    const before = await listLoginMethods(db, id)
    const method = { id: `mth_${id}`, kind: 'oidc', label: 'Provider', subject: id } as const
    assert.equal(await insertFirstMethod(db, id, method, now), false)
    assert.deepEqual(await listLoginMethods(db, id), before)
  }
})

/** An open invitation for a person who has a password. */
async function openInvitation(purpose: 'method' | 'membership' | 'reset') {
  const { db, config, randomness } = story.service.service
  const { id: userId } = await person()
  const createdBy = (await story.api('GET', '/api/users/me')).json().id
  const accountId = purpose === 'membership' ? story.accountId : undefined
  const about = { purpose, userId, accountId, createdBy, signInId: undefined }
  const minted = mintInvitation(config.baseUrl, about, story.service.clock(), randomness)
  await db.write(...insertInvitationStatements(minted))
  const accept = (id: string) =>
    acceptInvitation(db, {
      invitation: minted.invitation,
      method: { id, kind: 'oidc', label: 'Provider', subject: id },
      now: story.service.clock(),
    })
  const kinds = async () => (await listLoginMethods(db, userId)).map(({ id, kind }) => [id, kind])
  return { accept, kinds }
}

test('accepts a link once, by the first login method [V06]', async () => {
  const { accept, kinds } = await openInvitation('reset')
  assert.ok(await accept('mth_first'))
  assert.equal(await accept('mth_second'), undefined)
  assert.deepEqual(await kinds(), [['mth_first', 'oidc']])
})

test('sets no login method by a membership for a user who has one by then [V07]', async () => {
  const { accept, kinds } = await openInvitation('membership')
  const before = await kinds()
  assert.equal(await accept('mth_foreign'), undefined)
  assert.deepEqual(await kinds(), before)
})
