// The whole sandbox in one process tree, without a browser: it starts on free ports, the sample
// apps sign a provider in against the real service, and it starts again on other ports with the
// same data. Spec §1.1, §4.3, §5.1, §5.6.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { formatEntry, PLAIN } from '../src/log-lines.ts'
import { type Sandbox, startSandbox } from '../src/sandbox.ts'
import {
  exchange,
  json,
  launchAndAuthorize,
  local,
  type Practice,
  startSession,
} from './launching.ts'

const [practice, otherPractice] = SAMPLE_PRACTICES
const [provider] = practice.providers

let dataDir = ''
let sandbox: Sandbox
const lines: string[] = []

const start = (): Promise<Sandbox> =>
  startSandbox({ port: 0, dataDir, log: (entry) => lines.push(formatEntry(entry, PLAIN)) })

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chartside-sandbox-'))
  sandbox = await start()
})
after(async () => {
  await sandbox?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const serviceUrl = (): string => sandbox.places.service.url
const ehrUrl = (): string => sandbox.places.ehr.url

interface Started {
  readonly access_token: string
  readonly id_token: string
  readonly session: { readonly id: string; readonly token: string }
}

interface Me {
  readonly name: string
  readonly account: { readonly name: string }
}

test('signs a provider in at Visit Notes by its own exchange, once per code', async () => {
  const visitNotes = sandbox.appUrl('visit-notes')
  const code = await launchAndAuthorize(sandbox, 'Visit Notes', visitNotes)
  const started = await startSession<Started>(visitNotes, code)
  assert.equal(started.status, 200)
  const cookie = started.response.headers.get('set-cookie') ?? ''
  for (const part of ['__Host-', 'HttpOnly', 'Secure', 'SameSite=None', 'Partitioned', 'Path=/']) {
    assert.ok(cookie.includes(part), part)
  }
  const me = await json<Me>(`${visitNotes}/api/me`, undefined, {
    authorization: `Bearer ${started.body.session.token}`,
  })
  assert.equal(me.body.name, provider.name)
  assert.equal(me.body.account.name, practice.name)

  const replay = await exchange(visitNotes, code)
  assert.equal(replay.status, 400)
  assert.equal(replay.body.error, 'invalid_grant')
  for (const field of ['cause', 'fix', 'trace_id']) assert.ok(replay.body[field], field)
})

/** One tab with Visit Notes in it, as its page and its browser see it. */
async function openVisitNotes(at: Practice) {
  const visitNotes = sandbox.appUrl('visit-notes')
  const code = await launchAndAuthorize(sandbox, 'Visit Notes', visitNotes, at)
  const origin = { origin: visitNotes }
  const { body, response } = await startSession<Started>(visitNotes, code)
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  return {
    cookie,
    origin: { ...origin, 'x-session-id': body.session.id },
    token: body.session.token,
  }
}

test('renews the session of Visit Notes by its cookie, and only from its own page', async () => {
  const { renew, ...first } = await openRenewable(practice)
  const session = { 'x-session-id': first.id }
  const foreign = { ...session, cookie: first.cookie, origin: 'https://evil.example' }
  assert.equal((await renew(foreign)).status, 403)
  assert.equal((await renew({ ...session, cookie: first.cookie })).status, 403)
  const renewed = await renew({ cookie: first.cookie, ...first.origin })
  assert.equal(renewed.status, 200)
  assert.notEqual(renewed.token, first.token)
  assert.notEqual(renewed.cookie, first.cookie)
})

test('accepts a renewal repeated at once, and both bearer tokens of it', async () => {
  const { renew, ...first } = await openRenewable(practice)
  const once = await renew({ cookie: first.cookie, ...first.origin })
  const again = await renew({ cookie: first.cookie, ...first.origin })
  assert.deepEqual([once.status, again.status], [200, 200])
  const me = `${sandbox.appUrl('visit-notes')}/api/me`
  for (const { token } of [once, again]) {
    const authorization = `Bearer ${token}`
    assert.equal((await json(me, undefined, { authorization })).status, 200)
  }
})

test('ends the session when a cookie older than the previous one is used', async () => {
  const { renew, ...first } = await openRenewable(practice)
  const second = await renew({ cookie: first.cookie, ...first.origin })
  const third = await renew({ cookie: second.cookie, ...first.origin })
  assert.equal(third.status, 200)
  const spent = await renew({ cookie: first.cookie, ...first.origin })
  assert.deepEqual([spent.status, spent.token], [401, undefined])
  assert.equal((await renew({ cookie: third.cookie, ...first.origin })).status, 401)
  const authorization = `Bearer ${third.token}`
  const me = `${sandbox.appUrl('visit-notes')}/api/me`
  assert.equal((await json(me, undefined, { authorization })).status, 401)
})

/** A tab with Visit Notes, and a function for `POST /api/session/renew`. */
async function openRenewable(at: Practice) {
  const tab = await openVisitNotes(at)
  const renew = async (headers: Record<string, string>) => {
    const url = `${sandbox.appUrl('visit-notes')}/api/session/renew`
    const { status, body, response } = await json<Partial<Started>>(url, {}, headers)
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
    return { status, token: body.session?.token, cookie }
  }
  return { ...tab, id: tab.origin['x-session-id'], renew }
}

test('renews each of two tabs as itself, with the cookies of both', async () => {
  const visitNotes = sandbox.appUrl('visit-notes')
  const [here, there] = [await openVisitNotes(practice), await openVisitNotes(otherPractice)]
  assert.notEqual(here.cookie.split('=')[0], there.cookie.split('=')[0])
  const both = `${here.cookie}; ${there.cookie}`
  for (const [tab, at] of [[here, practice] as const, [there, otherPractice] as const]) {
    const renewed = await json<Started>(
      `${visitNotes}/api/session/renew`,
      {},
      {
        cookie: both,
        ...tab.origin,
      },
    )
    const authorization = `Bearer ${renewed.body.session.token}`
    const me = await json<Me>(`${visitNotes}/api/me`, undefined, { authorization })
    assert.equal(me.body.account.name, at.name)
  }
})

test('renews no session with the cookie of another launch, and keeps that one', async () => {
  const renewUrl = `${sandbox.appUrl('visit-notes')}/api/session/renew`
  const [here, there] = [await openVisitNotes(practice), await openVisitNotes(otherPractice)]
  const forged = `${here.cookie.split('=')[0]}=${there.cookie.split('=')[1]}`
  const renew = ({ origin }: typeof here, cookie: string) =>
    json<unknown>(renewUrl, {}, { cookie, ...origin })
  assert.equal((await renew(here, there.cookie)).status, 401)
  assert.equal((await renew(here, forged)).status, 401)
  assert.equal((await renew(there, there.cookie)).status, 200)
})

test('ends the session of Visit Notes by its cookie after the bearer token', async () => {
  const visitNotes = sandbox.appUrl('visit-notes')
  const end = async (tab: Awaited<ReturnType<typeof openVisitNotes>>, cookie: string) => {
    const { status, headers } = await fetch(local(`${visitNotes}/api/session`), {
      method: 'DELETE',
      headers: { authorization: 'Bearer run-out', cookie, ...tab.origin },
    })
    assert.match(headers.get('set-cookie') ?? '', new RegExp(`^${tab.cookie.split('=')[0]}=;.*=0;`))
    return status
  }
  const [here, there] = [await openVisitNotes(practice), await openVisitNotes(otherPractice)]
  assert.equal(await end(here, there.cookie), 401)
  assert.equal(await end(here, `${there.cookie}; ${here.cookie}`), 200)
  const authorization = `Bearer ${here.token}`
  assert.equal((await json(`${visitNotes}/api/me`, undefined, { authorization })).status, 401)
  const renew = ({ cookie, origin }: typeof here) =>
    json(`${visitNotes}/api/session/renew`, {}, { cookie, ...origin })
  assert.equal((await renew(here)).status, 401)
  assert.equal((await renew(there)).status, 200)
})

test('exchanges a code at Coding Watch, and records the user', async () => {
  const codingWatch = sandbox.appUrl('coding-watch')
  const code = await launchAndAuthorize(sandbox, 'Coding Watch', codingWatch)
  const tokens = await json<{ access_token: string; id_token: string }>(`${codingWatch}/token`, {
    code,
  })
  assert.equal(tokens.status, 200)
  assert.equal(tokens.response.headers.get('cache-control'), 'no-store')
  const presence = { id_token: tokens.body.id_token }
  assert.equal((await json(`${codingWatch}/presence`, presence)).status, 200)
  assert.equal((await json(`${codingWatch}/presence`, presence)).status, 401)
  const page = await (await fetch(local(`${codingWatch}/`))).text()
  assert.ok(page.includes(provider.name))
  assert.ok(!page.includes(tokens.body.access_token))

  const replay = await json<{ error: string }>(`${codingWatch}/token`, { code })
  assert.deepEqual([replay.status, replay.body], [400, { error: 'invalid_grant' }])
})

test('takes no callback at Growth Chart that the same browser did not begin [R06]', async () => {
  const growthChart = sandbox.appUrl('growth-chart')
  const query = `code=code_1&state=lnch_1:forged&iss=${encodeURIComponent(`${serviceUrl()}/app-auth`)}`
  const cookie = '__Host-growth-chart-launch-0=forged.verifier.nonce'
  for (const headers of [{}, { cookie }]) {
    const { status } = await json(`${growthChart}/session`, { query }, headers)
    assert.equal(status, 400)
  }
})

test('answers a path that begins with two slashes without a 5xx', async () => {
  for (const { port, manifest } of sandbox.places.apps) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = get({ host: '127.0.0.1', port, path: '//' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject)
    })
    assert.ok(status && status < 500, `${manifest.slug}: ${status}`)
  }
})

test('serves app pages under a policy that names the SDK host and the host page', async () => {
  const [service, ehr] = [serviceUrl(), ehrUrl()]
  const uses = ['visit-notes', 'coding-watch', 'care-gaps', 'referral-desk', 'growth-chart']
  for (const url of uses.map((slug) => `${sandbox.appUrl(slug)}/callback`)) {
    const { headers } = await fetch(local(url))
    const policy = headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`script-src 'self' ${service};`), policy)
    assert.ok(policy.includes("connect-src 'self';"), policy)
    assert.ok(policy.includes(`frame-ancestors ${ehr}`), policy)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  }
})

test('starts again on other ports with the same data, and publishes nothing', async () => {
  const [placesBefore, versionBefore] = [sandbox.places, await readLatestVersion()]
  await sandbox.stop()
  sandbox = await start()
  assert.notDeepEqual(sandbox.places, placesBefore)
  assert.equal(await readLatestVersion(), versionBefore)
  const visitNotes = sandbox.appUrl('visit-notes')
  const code = await launchAndAuthorize(sandbox, 'Visit Notes', visitNotes)
  assert.equal((await startSession(visitNotes, code)).status, 200)
})

test('gives its administrator a random password, kept for its user alone [V29]', async () => {
  const { email, password } = sandbox.administrator
  assert.match(password, /^[\w-]{20}$/)
  const signIn = `${serviceUrl()}/auth/sign-in`
  assert.equal((await json(signIn, { email, password: SAMPLE_PASSWORD })).status, 401)
  assert.equal((await json(signIn, { email, password })).status, 200)
  const path = join(dataDir, 'administrator-password')
  assert.equal(await readFile(path, 'utf8'), `${password}\n`)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
})

test('answers a page of a rebound name with 421, as the sample EHR does [V29]', async () => {
  for (const { url, port } of [sandbox.places.service, sandbox.places.ehr]) {
    const asked = get(local(url), { headers: { host: `evil.example:${port}` } })
    const [answer] = await once(asked, 'response')
    answer.resume()
    assert.equal(answer.statusCode, 421, url)
  }
})

async function readLatestVersion(): Promise<number> {
  const signIn = `${serviceUrl()}/auth/sign-in`
  const { body } = await json<{ token: string }>(signIn, sandbox.administrator)
  const authorization = `Bearer ${body.token}`
  const collections = await json<{ items: { latestVersion: number }[] }>(
    `${serviceUrl()}/api/collections`,
    undefined,
    { authorization },
  )
  return collections.body.items[0]?.latestVersion ?? 0
}

test('writes no bearer value into its lines', () => {
  assert.ok(lines.length > 0)
  assert.doesNotMatch(lines.join('\n'), /(lnch|code|at|cs|st)_[A-Za-z0-9_-]{20,}/)
})
