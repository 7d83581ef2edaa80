// The emergency account (break-glass): made on the command line, without a second factor, limited to an
// hour, with an alert for each use. Security P03.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { runCommand } from './command.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import { bearer, send, sendJson, signIn } from './story-verbs.ts'

const EMAIL = 'break-glass@process.example'

let service: ServiceProcess
before(async () => {
  service = await startService({
    isStartedBefore: true,
    environment: { CHARTSIDE_PASSWORD_SIGN_IN: 'off', CHARTSIDE_SECOND_FACTOR: 'required' },
  })
})
after(() => service.discard())

const chartside = (...args: string[]) => runCommand(args, { CHARTSIDE_DATA_DIR: service.dataDir })

async function create(): Promise<string> {
  const ran = await chartside('emergency', 'create', EMAIL)
  assert.equal(ran.code, 0, ran.stderr)
  return /^Password of \S+: (\S{24})$/m.exec(ran.stdout)?.[1] ?? assert.fail(ran.stdout)
}

const attempt = (email: string, password: string) =>
  sendJson(service.baseUrl, '/auth/sign-in', { email, password })

test('gives access in an emergency for an hour, with an alert and an event [P03]', async () => {
  const password = await create()
  // Passwords are off for all others, and a second factor is required of them.
  assert.equal((await attempt(ADMIN.email, ADMIN.password)).status, 404)
  const wrong = await attempt(EMAIL, 'not this one')
  assert.equal(wrong.status, 404, 'the answer does not tell that the account exists')
  assert.match(service.output(), /ALERT: a wrong password for the emergency account/)
  const before = Date.now()
  const answer = await attempt(EMAIL, password)
  assert.equal(answer.status, 200, answer.text)
  const lifetime = Date.parse(String(answer.body.expiresAt)) - before
  assert.ok(Math.abs(lifetime - 3_600_000) < 60_000, `${lifetime} ms`)
  const alert = service
    .output()
    .split('\n')
    .find((line) => line.includes('the emergency account has signed in'))
  assert.equal(JSON.parse(alert ?? '{}').level, 50, 'a line at error level')
  assert.equal(service.output().includes(password), false)
  const token = String(answer.body.token)
  const { body } = await send(service.baseUrl, '/api/audit-events?limit=200', {
    headers: bearer(token),
  })
  const events = body.items as { action: string; actor: string; target: string }[]
  const used = events.find(({ action }) => action === 'useEmergencyAccess')
  assert.equal(used?.actor, used?.target)
  assert.ok(
    events.some(({ action, actor }) => action === 'createEmergencyAccess' && actor === 'operator'),
  )

  // A new password ends what the one before gave; so does taking the account away.
  const second = await create()
  const me = () => send(service.baseUrl, '/api/users/me', { headers: bearer(token) })
  assert.equal((await me()).status, 401)
  assert.equal((await attempt(EMAIL, password)).status, 404)
  const fresh = await attempt(EMAIL, second)
  assert.equal(fresh.status, 200, fresh.text)
  assert.equal((await chartside('emergency', 'remove', EMAIL)).code, 0)
  const after = { headers: bearer(String(fresh.body.token)) }
  assert.equal((await send(service.baseUrl, '/api/users/me', after)).status, 401)
  assert.equal((await attempt(EMAIL, second)).status, 404)
})

test('makes no emergency account of a person [P03]', async () => {
  const ran = await chartside('emergency', 'create', ADMIN.email)
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /belongs to a person/)
  assert.equal((await chartside('emergency', 'remove', ADMIN.email)).code, 1)
  await assert.rejects(signIn(service.baseUrl, ADMIN))
})

test('ends open links, codes and memberships of the account at its renewal [V23]', async () => {
  await create()
  const db = new DatabaseSync(join(service.dataDir, 'chartside.db'), { timeout: 5_000 })
  try {
    const { id } = db.prepare('SELECT id FROM users WHERE email = ?').get(EMAIL) as { id: string }
    const link = `INSERT INTO invitations (id, token_hash, purpose, user_id, created_by, created_at,
      expires_at) VALUES (?, ?, 'reset', ?, 'usr_old', 1, ?)`
    db.prepare(link).run('inv_old', 'hash', id, Date.now() + 3_600_000)
    db.prepare('INSERT INTO recovery_codes (user_id, code_hash, created_at) VALUES (?, ?, 1)').run(
      id,
      'hash',
    )
    const member = `INSERT INTO members (account_id, user_id, role, created_at)
      VALUES ('acc_old', ?, 'admin', 1)`
    db.prepare(member).run(id)
    await create()
    const { used_at: usedAt } = db
      .prepare("SELECT used_at FROM invitations WHERE id = 'inv_old'")
      .get() as { used_at: number | null }
    assert.ok(usedAt !== null && usedAt > 0, 'the link is over')
    for (const table of ['recovery_codes', 'members', 'second_factors']) {
      const rows = db.prepare(`SELECT 1 FROM ${table} WHERE user_id = ?`).all(id)
      assert.deepEqual(rows, [], table)
    }
  } finally {
    db.close()
  }
})
