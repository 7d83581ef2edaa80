// The region gate in front of the whole route table: which addresses it guards, what a refusal tells
// in the words of each surface, and whose word about an address counts. Spec §8, contract §8.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../src/db/sql.ts'
import type { Route } from '../src/route.ts'
import { ROUTES } from '../src/routes.ts'
import { checkAnswer } from './answer-check.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'
import { HOST_ORIGIN, startTestService, type TestService } from './test-service.ts'

const HERE = '8.8.8.8'
const THERE = '193.0.6.139'
const PROXY = '10.20.30.40'

let story: Story
/** On the same database: in production, behind a balancer. */
let production: TestService
const CHARTSIDE_MASTER_KEY = randomBytes(32).toString('base64')
before(async () => {
  story = await startStory({ CHARTSIDE_MASTER_KEY })
  production = await startProduction({ CHARTSIDE_TRUSTED_PROXIES: '10.20.0.0/16,loopback' })
})
after(async () => {
  await production.close()
  await story.close()
})

/** Nodes of two environments share this database, which no start allows by itself. */
const recordEnvironment = (environment: string) =>
  story.service.service.db.write(sql`UPDATE installation SET environment = ${environment}`)

async function startProduction(environment: Record<string, string>): Promise<TestService> {
  const { databaseUrl } = story.service.service.config
  await recordEnvironment('production')
  return startTestService(
    {
      CHARTSIDE_MASTER_KEY,
      CHARTSIDE_ENVIRONMENT: 'production',
      ...(databaseUrl.startsWith('postgres')
        ? { CHARTSIDE_DATABASE_URL: `${databaseUrl}?sslmode=disable` }
        : {}),
      ...environment,
    },
    { beside: story.service },
  )
}

function callsOf(route: Route): { method: string; url: string }[] {
  const url = route.path.replace(/:\w+/g, 'x')
  const methods = route.surface === 'oauth' ? route.methods : [route.method]
  return methods.map((method) => ({ method, url }))
}

async function call(
  node: TestService,
  { method = 'GET', url = '/api/users/me' },
  remoteAddress: string,
  headers: Record<string, string> = {},
) {
  const answer = await node.server.inject({ method: method as 'GET', url, remoteAddress, headers })
  checkAnswer(method, url, answer)
  return answer
}

const isRegionRefusal = ({ statusCode, body }: { statusCode: number; body: string }) =>
  statusCode === 403 && body.includes('region_not_allowed')

test('guards exactly the server-to-server addresses: /api and four more [T17]', () => {
  const guarded = ROUTES.filter(({ regions }) => regions === 'allowed').map(({ path }) => path)
  const contract = /^\/api\/|^\/app-auth\/(token|introspect|revoke|userinfo)$/
  const others = ROUTES.map(({ path }) => path).filter((path) => !guarded.includes(path))
  assert.deepEqual(
    guarded.filter((path) => !contract.test(path)),
    [],
  )
  assert.deepEqual(
    others.filter((path) => contract.test(path)),
    [],
  )
  assert.ok(guarded.length > 30 && others.length > 15)
})

test('exactly the guarded addresses refuse a caller of another region first [T17]', async () => {
  for (const route of ROUTES) {
    for (const one of callsOf(route)) {
      const isGuarded = route.regions === 'allowed'
      for (const node of [production, story.service]) {
        const foreign = await call(node, one, THERE)
        assert.equal(isRegionRefusal(foreign), isGuarded, `${one.method} ${one.url} from abroad`)
        const allowed = await call(node, one, HERE)
        assert.equal(isRegionRefusal(allowed), false, `${one.method} ${one.url} from inside`)
      }
    }
  }
})

test('allows internal callers, except in production [T17]', async () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:10.1.2.3', '192.168.1.1', 'fd00::1']) {
    assert.equal((await call(story.service, {}, address)).statusCode, 401, address)
    const refused = await call(production, {}, address)
    assert.ok(isRegionRefusal(refused), address)
    assert.match(refused.json().detail, /CHARTSIDE_TRUSTED_PROXIES/)
  }
})

test('the backend API refuses a region with problem details, country and fix', async () => {
  const refused = await call(production, {}, THERE, { origin: HOST_ORIGIN })
  const { status, code, country, traceId, detail } = refused.json()
  assert.deepEqual([status, code, country], [403, 'region_not_allowed', 'NL'])
  assert.match(detail, /193\.0\.6\.139 in NL.*only callers in US.*VPN/)
  assert.ok(production.logText().includes(traceId))
  // A host in a browser can read it.
  assert.equal(refused.headers['access-control-allow-origin'], HOST_ORIGIN)
})

test('the token endpoint refuses a region with an OAuth error, country and fix', async () => {
  const url = '/app-auth/token'
  const authorization = `Basic ${btoa('cli_5f0c2d7e9b1a4c685f0c2d7e9b1a4c68:a-secret')}`
  const refused = await call(production, { method: 'POST', url }, THERE, { authorization })
  const { error, error_description, trace_id, country } = refused.json()
  assert.deepEqual([refused.statusCode, error, country], [403, 'region_not_allowed', 'NL'])
  assert.match(error_description, /hosted there.*VPN/)
  const line = production
    .logText()
    .split('\n')
    .find((one) => one.includes(trace_id))
  assert.match(
    line ?? '',
    /"client":"cli_5f0c2d7e9b1a4c685f0c2d7e9b1a4c68"/,
    'the operator learns whose server it is',
  )
  assert.equal(refused.headers['cache-control'], 'no-store')
})

test('refuses a caller of unknown region, and says so [T17]', async () => {
  const refused = await call(production, {}, '192.0.2.1')
  assert.ok(isRegionRefusal(refused))
  assert.equal(refused.json().country, null)
  assert.match(refused.json().detail, /origin of this request is unknown/)
})

test('an exchange refused by region leaves the code valid [T17]', async () => {
  const code = await freshCode(story)
  const payload = {
    grant_type: 'authorization_code',
    code,
    client_id: story.app.clientId,
    client_secret: story.app.secret,
  }
  const url = '/app-auth/token'
  const from = (remoteAddress: string) =>
    production.server.inject({ method: 'POST', url, payload, remoteAddress })
  assert.equal((await from(THERE)).statusCode, 403)
  assert.equal((await from(HERE)).statusCode, 200)
  assert.equal((await exchange(story, code)).statusCode, 400)
})

/** Peer, header, whether the caller gets past the gate. */
const CHAINS: [string, string, boolean][] = [
  [PROXY, HERE, true],
  [`::ffff:${PROXY}`, HERE, true],
  [PROXY, `${THERE}, ${HERE}`, true],
  [PROXY, THERE, false],
  [PROXY, `${HERE}, ${THERE}`, false],
  [PROXY, `${HERE}, ${THERE}, 10.20.1.1`, false],
  [PROXY, `${HERE}, 10.99.0.1`, false],
  [PROXY, 'unknown', false],
  [PROXY, `${HERE},`, false],
  [PROXY, '', false],
  [THERE, HERE, false],
  ['10.99.0.1', HERE, false],
]
for (const [peer, header, passes] of CHAINS) {
  test(`X-Forwarded-For "${header}" from ${peer}: ${passes ? 'passes' : 'refused'} [T17]`, async () => {
    const answer = await call(production, {}, peer, { 'x-forwarded-for': header })
    assert.equal(isRegionRefusal(answer), !passes)
  })
}

test('reads several X-Forwarded-For lines as one chain, and ignores Forwarded [T17]', async () => {
  await production.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = production.server.server.address() as AddressInfo
  const statusWith = (headers: Record<string, string | string[]>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/api/users/me', headers }
      request(options, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
  assert.equal(await statusWith({ 'X-Forwarded-For': [THERE, HERE] }), 401)
  assert.equal(await statusWith({ 'X-Forwarded-For': [HERE, THERE] }), 403)
  const others = { Forwarded: `for=${HERE}`, 'X-Real-IP': HERE, 'CF-Connecting-IP': HERE }
  assert.equal(await statusWith(others), 403)
})

test('warns once about a balancer that is missing from the trusted proxies', async () => {
  for (const _again of [1, 2])
    await call(story.service, {}, '10.0.0.9', { 'x-forwarded-for': HERE })
  assert.equal(story.service.logText().split('CHARTSIDE_TRUSTED_PROXIES').length, 2)
})

test('the star switches the region gate off, in production too', async () => {
  const open = await startProduction({ CHARTSIDE_ALLOWED_REGIONS: '*' })
  for (const address of [THERE, '10.1.1.1', '192.0.2.1']) {
    assert.equal((await call(open, {}, address)).statusCode, 401, address)
  }
  await open.close()
})

test('production does not start without its country database, and names the file', async () => {
  const CHARTSIDE_REGION_DATABASE = '/nowhere/countries.mmdb'
  await assert.rejects(startProduction({ CHARTSIDE_REGION_DATABASE }), (error: Error) => {
    for (const part of [CHARTSIDE_REGION_DATABASE, 'ENOENT', 'unset CHARTSIDE_REGION_DATABASE']) {
      assert.ok(error.message.includes(part), part)
    }
    return true
  })
})

test('outside production a missing country database allows internal callers only', async () => {
  await recordEnvironment('development')
  const node = await startTestService(
    { CHARTSIDE_MASTER_KEY, CHARTSIDE_REGION_DATABASE: '/nowhere/countries.mmdb' },
    { beside: story.service },
  )
  assert.equal((await call(node, {}, '127.0.0.1')).statusCode, 401)
  assert.equal(node.logText().includes('countries.mmdb'), false)
  const refused = await call(node, {}, HERE)
  assert.ok(isRegionRefusal(refused))
  assert.match(refused.json().detail, /country of 8\.8\.8\.8 is not known/)
  assert.match(node.logText(), /countries\.mmdb cannot be used: ENOENT/)
  await node.close()
})

test('loads a new country file without a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-gate-'))
  const file = join(directory, 'countries.mmdb')
  const bundled = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
  copyFileSync(fileURLToPath(import.meta.resolve(bundled)), file)
  const node = await startProduction({ CHARTSIDE_REGION_DATABASE: file })
  assert.equal((await call(node, {}, HERE)).statusCode, 401)
  // The country moves; BUS is the code as this format writes a string of two bytes.
  writeFileSync(
    `${file}.new`,
    readFileSync(file).toString('latin1').replaceAll('BUS', 'BMX'),
    'latin1',
  )
  renameSync(`${file}.new`, file)
  await node.service.regions.refresh()
  const refused = await call(node, {}, HERE)
  assert.ok(isRegionRefusal(refused))
  assert.equal(refused.json().country, 'MX')
  await node.close()
  rmSync(directory, { recursive: true })
})

test('shows a person a refusal as a page that hosts may frame [T17, H01]', async () => {
  const headers = { accept: 'text/html' }
  const refused = { url: '/app-auth/userinfo' }
  const answer = await call(production, refused, PROXY, { ...headers, 'x-forwarded-for': THERE })
  assert.ok(isRegionRefusal(answer), answer.body)
  assert.match(String(answer.headers['content-type']), /^text\/html/)
  const policy = String(answer.headers['content-security-policy'])
  assert.ok(policy.includes(`frame-ancestors ${HOST_ORIGIN}`), policy)
})
