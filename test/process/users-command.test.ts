// `chartside users` beside a running service: an administrator who lost the password comes back, a new one
// is made, a disabled one is out at once, and the last one stays. Contract §9, security P02.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCommand } from './command.ts'
import { ADMIN, type ServiceProcess, spawnService, startService } from './service-process.ts'
import { api, bearer, send, sendJson, setPasswordByLink, signIn } from './story-verbs.ts'

let service: ServiceProcess
before(async () => {
  service = await startService({ isStartedBefore: true })
})
after(() => service.discard())

const users = (...args: string[]) =>
  runCommand(['users', ...args], {
    CHARTSIDE_DATA_DIR: service.dataDir,
    CHARTSIDE_BASE_URL: service.baseUrl,
  })

async function json(...args: string[]) {
  const ran = await users(...args, '--json')
  assert.equal(ran.code, 0, ran.stderr)
  return JSON.parse(ran.stdout)
}

const tokenOf = (who: { email: string; password: string }) => signIn(service.baseUrl, who)

const me = (token: string) => send(service.baseUrl, '/api/users/me', { headers: bearer(token) })

test('makes a second administrator, who signs in with the printed password', async () => {
  const email = 'second@process.example'
  const made = await json('create', email, '--role', 'admin', '--name', 'Second Admin')
  assert.equal(made.role, 'admin')
  const token = await tokenOf({ email, password: made.password })
  assert.equal((await me(token)).body.role, 'admin')
  const again = await users('create', email)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /There is a user/)
  const listed = await users('list')
  assert.match(listed.stdout, /second@process\.example +Second Admin +admin +active/)

  const disabled = await users('disable', email)
  assert.equal(disabled.code, 0, disabled.stderr)
  assert.equal((await me(token)).status, 401)
  assert.equal((await json('enable', email)).disabled, false)
  assert.equal((await json('demote', email)).role, 'member')
  const { password } = await json('create', 'viewer@process.example', '--role', 'viewer')
  const viewer = await tokenOf({ email: 'viewer@process.example', password })
  assert.equal((await me(viewer)).body.role, 'viewer')
  assert.match((await users('list', '--role', 'viewer')).stdout, /viewer@process\.example/)
})

test('brings an administrator back who lost the password', async () => {
  const token = await tokenOf(ADMIN)
  const { url } = await json('reset', ADMIN.email)
  const password = 'a new passphrase after all'
  await setPasswordByLink(url, password)
  assert.equal((await me(token)).status, 401, 'the reset ended the sign-ins')
  assert.equal((await sendJson(service.baseUrl, '/auth/sign-in', ADMIN)).status, 401)
  const fresh = await tokenOf({ email: ADMIN.email, password })
  const { body } = await send(service.baseUrl, '/api/audit-events?limit=200', {
    headers: bearer(fresh),
  })
  const events = body.items as { action: string; actor: string }[]
  const done = events.filter(({ actor }) => actor === 'operator').map(({ action }) => action)
  for (const action of ['createUser', 'disableUser', 'enableUser', 'demoteUser', 'resetUser']) {
    assert.ok(done.includes(action), action)
  }
})

test('keeps the last administrator, and refuses an unknown address', async () => {
  const last = await users('demote', ADMIN.email)
  assert.equal(last.code, 1)
  assert.match(last.stderr, /only administrator/)
  const unknown = await users('reset', 'unknown@process.example')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /There is no user/)
})

test('needs the password of the first administrator at the first start only', async () => {
  const production = {
    CHARTSIDE_ENVIRONMENT: 'production',
    CHARTSIDE_BASE_URL: 'https://connect.example',
    CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    CHARTSIDE_GEOIP_DATABASE: '',
    CHARTSIDE_ALLOWED_REGIONS: '*',
  }
  const refused = async (environment: Record<string, string>) => {
    const { ended, output } = await spawnService({ environment: { ...production, ...environment } })
    assert.equal((await ended).code, 1)
    return output()
  }
  const without = await refused({ CHARTSIDE_ADMIN_EMAIL: '', CHARTSIDE_ADMIN_PASSWORD: '' })
  assert.match(without, /CHARTSIDE_ADMIN_PASSWORD is required at the first start/)
  assert.match(await refused({ CHARTSIDE_ADMIN_PASSWORD: 'x' }), /12 characters or more/)
  const first = await startService({ environment: production })
  await first.end()
  const none = { CHARTSIDE_ADMIN_EMAIL: '', CHARTSIDE_ADMIN_PASSWORD: '' }
  const later = await startService({
    dataDir: first.dataDir,
    environment: { ...production, ...none },
  })
  assert.equal((await later.end()).code, 0)
  await first.discard()
})

test('enables and resets no removed user, invites one, and erases one', async () => {
  const email = 'removed@process.example'
  const { id } = await json('create', email)
  assert.match((await users('erase', email)).stderr, /Remove them first.*chartside users remove/)
  assert.equal((await json('remove', email)).removed, true)
  for (const command of ['enable', 'reset']) {
    const refused = await users(command, email)
    assert.equal(refused.code, 1, refused.stdout)
    assert.match(refused.stderr, /was removed\..*chartside users invite/)
  }
  assert.match((await users('list')).stdout, /removed@process\.example .* removed/)
  assert.match((await json('invite', email)).url, /token=/)
  assert.equal((await json('remove', email)).removed, true)
  const erased = await json('erase', email)
  assert.deepEqual([erased.email, erased.name], [id, id])
  assert.match((await users('erase', email)).stderr, /There is no user/)
})

test('erases a deleted account, and records it', async () => {
  const { password } = await json('create', 'closer@process.example', '--role', 'admin')
  const sessionToken = await tokenOf({ email: 'closer@process.example', password })
  const { baseUrl } = service
  const call = (method: 'DELETE' | 'GET' | 'POST', path: string, body?: object) =>
    api({ baseUrl, sessionToken }, method, path, body)
  const id = String((await call('POST', '/api/accounts', { name: 'Closing' })).body.id)
  const erase = (...args: string[]) =>
    runCommand(['accounts', 'erase', id, ...args], { CHARTSIDE_DATA_DIR: service.dataDir })
  assert.match((await erase()).stderr, /Only a deleted account is erased/)
  assert.equal((await call('DELETE', `/api/accounts/${id}`)).status, 204)
  assert.match((await erase('--dry-run')).stdout, /^Would erase acc_\w+ and 0 people/)
  assert.deepEqual(JSON.parse((await erase('--json')).stdout), { dryRun: false, id, people: [] })
  const { text } = await call('GET', '/api/audit-events?limit=20')
  assert.match(text, /"eraseAccount"/)
})

test('gives a disabled user no reset link, nor the emergency account', async () => {
  const email = 'third@process.example'
  await json('create', email)
  await json('disable', email)
  const disabled = await users('reset', email)
  assert.equal(disabled.code, 1, disabled.stdout)
  assert.match(disabled.stderr, /is disabled\. Run chartside users enable/)
  const emergency = 'glass@process.example'
  const environment = { CHARTSIDE_DATA_DIR: service.dataDir }
  assert.equal((await runCommand(['emergency', 'create', emergency], environment)).code, 0)
  const refused = await users('reset', emergency)
  assert.equal(refused.code, 1, refused.stdout)
  assert.match(refused.stderr, /account for emergencies/)
  for (const { stdout } of [disabled, refused]) assert.doesNotMatch(stdout, /token=/)
})
