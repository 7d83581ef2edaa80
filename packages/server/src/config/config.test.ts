// The configuration: defaults, all problems at once, what production requires, no secret printed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../db/database.ts'
import { ConfigError, describeConfig, describeSettings, parseConfig } from './config.ts'
import { explainFailure } from './explain.ts'
import { SETTINGS } from './settings.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const PRODUCTION = {
  CHARTSIDE_ENVIRONMENT: 'production',
  CHARTSIDE_BASE_URL: 'https://connect.example',
  CHARTSIDE_MASTER_KEY: KEY,
  CHARTSIDE_ADMIN_EMAIL: 'admin@connect.example',
  CHARTSIDE_ADMIN_PASSWORD: 'a very long password',
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
  return []
}

test('an empty environment gives a development server on port 4700', () => {
  const { config, warnings } = parseConfig({})
  assert.deepEqual(warnings, [])
  assert.equal(config.environment, 'development')
  assert.equal(config.port, 4700)
  assert.equal(config.baseUrl, 'http://localhost:4700')
  assert.equal(config.issuerUrl, 'http://localhost:4700/app-auth')
  assert.equal(config.databaseUrl, 'file:.chartside/chartside.db')
  assert.equal(config.codeLifetimeSeconds, 60)
})

test('serves the documentation, in production only when it is asked to', () => {
  assert.equal(parseConfig({}).config.docs, 'on')
  assert.equal(parseConfig(PRODUCTION).config.docs, 'off')
  assert.equal(parseConfig({ ...PRODUCTION, CHARTSIDE_DOCS: 'on' }).config.docs, 'on')
})

test('reports every problem at once, each with its variable and what it should be', () => {
  const problems = problemsOf({
    CHARTSIDE_ENVIRONMENT: 'prod',
    CHARTSIDE_PORT: '70000',
    CHARTSIDE_BASE_URL: 'https://x.example/',
    CHARTSIDE_MASTER_KEY: 'short',
    CHARTSIDE_HOST_ORIGINS: 'chrome-extension://ok,https://x.example/path',
    CHARTSIDE_CODE_LIFETIME_SECONDS: '-1',
  })
  assert.equal(problems.length, 6)
  for (const name of [
    'ENVIRONMENT',
    'PORT',
    'BASE_URL',
    'MASTER_KEY',
    'ORIGINS',
    'CODE_LIFETIME',
  ]) {
    assert.ok(
      problems.some((problem) => problem.includes(name)),
      name,
    )
  }
})

test('production requires https and a master key at every start', () => {
  assert.deepEqual(problemsOf(PRODUCTION), [])
  const bare = problemsOf({ CHARTSIDE_ENVIRONMENT: 'production' })
  assert.equal(bare.length, 3)
  const { CHARTSIDE_ADMIN_EMAIL: _, CHARTSIDE_ADMIN_PASSWORD: __, ...later } = PRODUCTION
  assert.deepEqual(problemsOf(later), [], 'it has its administrator')
})

test('refuses public networks in place of the region in production [V39]', () => {
  const given = (networks: string) =>
    problemsOf({ ...PRODUCTION, CHARTSIDE_ALLOWED_NETWORKS: networks })
  for (const own of [
    ...['10.1.0.0/16', '192.168.7.4', '172.16.0.0/12', '100.64.0.0/10', '169.254.1.0/24'],
    ...['fd00:1::/48', '::1', 'fe80::/64', 'loopback', 'private'],
  ]) {
    assert.deepEqual(given(own), [], own)
  }
  for (const open of [
    ...['85.214.132.0/24', '8.8.8.8', '10.0.0.0/7', '172.0.0.0/8', '100.0.0.0/8'],
    ...['2001:db8:1::/48', 'fc00::/6', '::/64', '::ffff:8.8.8.8'],
  ]) {
    const [problem = '', ...more] = given(`10.0.0.0/8,${open}`)
    assert.deepEqual(more, [], open)
    assert.match(problem, /does not replace the region/, open)
    assert.ok(problem.includes(open))
  }
  const staging = { ...PRODUCTION, CHARTSIDE_ENVIRONMENT: 'staging' }
  assert.deepEqual(problemsOf({ ...staging, CHARTSIDE_ALLOWED_NETWORKS: '8.8.8.8' }), [])
})

test('reads the replaced name of the host origins and names the standard one', () => {
  const origin = 'chrome-extension://abc'
  const replaced = parseConfig({ CHARTSIDE_EXTENSION_ORIGINS: origin })
  assert.deepEqual(replaced.config.hostOrigins, [origin])
  assert.equal(replaced.warnings.length, 1)
  assert.match(replaced.warnings[0] ?? '', /EXTENSION_ORIGINS is read as CHARTSIDE_HOST_ORIGINS/)
  const both = parseConfig({
    CHARTSIDE_EXTENSION_ORIGINS: 'https://other.example',
    CHARTSIDE_HOST_ORIGINS: origin,
  })
  assert.deepEqual(both.config.hostOrigins, [origin])
  assert.match(both.warnings[0] ?? '', /CHARTSIDE_EXTENSION_ORIGINS is not a setting/)
  assert.match(
    problemsOf({ CHARTSIDE_EXTENSION_ORIGINS: 'https://x.example/path' })[0] ?? '',
    /CHARTSIDE_HOST_ORIGINS has/,
  )
})

test('a code lives sixty seconds and a launch five minutes at most [C02, L01]', () => {
  const longer = { CHARTSIDE_CODE_LIFETIME_SECONDS: '61', CHARTSIDE_LAUNCH_LIFETIME_SECONDS: '301' }
  const longest = {
    CHARTSIDE_CODE_LIFETIME_SECONDS: '60',
    CHARTSIDE_LAUNCH_LIFETIME_SECONDS: '300',
  }
  for (const environment of [PRODUCTION, { CHARTSIDE_ENVIRONMENT: 'staging' }]) {
    const problems = problemsOf({ ...environment, ...longer }).join()
    assert.match(
      problems,
      /CODE_LIFETIME_SECONDS must be 60 or less.*LAUNCH_LIFETIME_SECONDS must be 300/,
    )
    assert.deepEqual(problemsOf({ ...environment, ...longest }), [])
  }
  assert.deepEqual(problemsOf(longer), [], 'a debugger has time in development')
})

test('metrics have a port of their own', () => {
  for (const port of ['4700', '4699']) {
    const problems = problemsOf({
      CHARTSIDE_METRICS_PORT: port,
      CHARTSIDE_WORKERS: '2',
      CHARTSIDE_DATABASE_URL: 'postgres://localhost/x',
    })
    assert.match(problems.join(), /CHARTSIDE_METRICS_PORT must be another port/, port)
  }
  assert.deepEqual(problemsOf({ CHARTSIDE_METRICS_PORT: '4701' }), [])
})

test('warns about an unknown variable', () => {
  const { warnings } = parseConfig({ CHARTSIDE_PROT: '1' })
  assert.match(warnings[0] ?? '', /CHARTSIDE_PROT/)
})

test('an OpenID Connect provider requires a client, and https except on loopback', () => {
  const provider = { CHARTSIDE_OIDC_ISSUER: 'https://login.example/tenant/' }
  assert.match(problemsOf(provider).join(), /CHARTSIDE_OIDC_CLIENT_ID/)
  const client = { CHARTSIDE_OIDC_CLIENT_ID: 'c', CHARTSIDE_OIDC_CLIENT_SECRET: 's' }
  assert.deepEqual(problemsOf({ ...provider, ...client }), [])
  const inClear = { ...client, CHARTSIDE_OIDC_ISSUER: 'http://login.example' }
  assert.match(problemsOf(inClear).join(), /CHARTSIDE_OIDC_ISSUER must be https/)
})

test('the printed configuration names secrets and shows none', () => {
  const shown = JSON.stringify(describeConfig(parseConfig(PRODUCTION).config))
  assert.ok(shown.includes('"CHARTSIDE_MASTER_KEY":"(set)"'))
  assert.equal(shown.includes(KEY), false)
  assert.equal(shown.includes('a very long password'), false)
})

test('help names every setting', () => {
  const help = describeSettings()
  for (const { variable } of Object.values(SETTINGS)) assert.ok(help.includes(variable))
})

test('a bad value does not hide what production requires', () => {
  const problems = problemsOf({ CHARTSIDE_ENVIRONMENT: 'production', CHARTSIDE_PORT: 'abc' })
  assert.equal(problems.length, 4)
})

test('names a variable with a wrong value once', () => {
  const problems = problemsOf({
    CHARTSIDE_ENVIRONMENT: 'production',
    CHARTSIDE_BASE_URL: 'connect.example',
    CHARTSIDE_MASTER_KEY: 'short',
    CHARTSIDE_ADMIN_EMAIL: 'notanemail',
    CHARTSIDE_ADMIN_PASSWORD: 'correct horse battery',
  })
  assert.deepEqual(problems.map((problem) => problem.split(' ', 1)[0]).sort(), [
    'CHARTSIDE_ADMIN_EMAIL',
    'CHARTSIDE_BASE_URL',
    'CHARTSIDE_MASTER_KEY',
  ])
})

test('names the base URL, not an issuer that was not set, when it has a path', () => {
  assert.deepEqual(
    problemsOf({ CHARTSIDE_BASE_URL: 'https://connect.example/apps' }).map(
      (problem) => problem.split(':', 1)[0],
    ),
    ['CHARTSIDE_BASE_URL must have no path'],
  )
})

test('names an unknown variable beside the missing one that it may be meant for', () => {
  const typo = { CHARTSIDE_ENVIRONMENT: 'production', CHARTSIDE_MASTERKEY: KEY }
  assert.throws(
    () => parseConfig(typo),
    (error: unknown) => {
      const text = explainFailure(error)
      assert.match(text, /CHARTSIDE_MASTER_KEY is required/)
      assert.match(text, /CHARTSIDE_MASTERKEY is not a setting of Chartside/)
      assert.ok(!text.includes(KEY))
      return true
    },
  )
})

test('explains an address, a port and a folder that the process cannot have', () => {
  const fail = (code: string, details: object) =>
    explainFailure(Object.assign(new Error(code), { code, ...details }))
  assert.match(
    fail('EADDRNOTAVAIL', { address: '10.9.9.9', port: 1 }),
    /10\.9\.9\.9.*CHARTSIDE_HOST/,
  )
  assert.match(fail('EACCES', { port: 80 }), /port 80\. Set CHARTSIDE_PORT/)
  assert.match(fail('EADDRINUSE', { port: 4700 }), /4700 is taken .* set CHARTSIDE_PORT/)
  assert.match(
    explainFailure(new DatabaseUnavailable(new Error('no'), 'unreachable', '/x/c.db')),
    /: no\. \/x\/c\.db must be .* CHARTSIDE_DATA_DIR/,
  )
})

test('refuses an issuer with another path, and a malformed e-mail address', () => {
  const issuer = problemsOf({ CHARTSIDE_ISSUER_URL: 'https://connect.example/oauth' })
  assert.match(issuer[0] ?? '', /path \/app-auth/)
  assert.match(problemsOf({ CHARTSIDE_ADMIN_EMAIL: 'notanemail' })[0] ?? '', /e-mail/)
})

test('production requires sslmode for PostgreSQL on another machine [P09]', () => {
  const problemsWith = (url: string) => problemsOf({ ...PRODUCTION, CHARTSIDE_DATABASE_URL: url })
  for (const url of [
    'postgres://user:secret@db.example/chartside',
    'postgres://user:secret@127.0.0.1:5432,db.example:5432/chartside',
  ]) {
    const [problem = ''] = problemsWith(url)
    assert.match(problem, /sslmode=verify-full/)
    assert.doesNotMatch(problem, /secret/)
  }
  for (const url of [
    'postgres://user:secret@db.example/chartside?sslmode=verify-full',
    'postgres://user:secret@db.example/chartside?sslmode=disable',
    'postgres://user:secret@localhost:5432/chartside',
    'postgres://user:secret@[::1]/chartside',
    'file:/var/lib/chartside.db',
  ]) {
    assert.deepEqual(problemsWith(url), [], url)
  }
})

test('refuses a previous master key without a master key', () => {
  assert.match(problemsOf({ CHARTSIDE_PREVIOUS_MASTER_KEY: KEY })[0] ?? '', /CHARTSIDE_MASTER_KEY/)
})

test('accepts country codes, or the star alone, as allowed regions [T17]', () => {
  const { allowedRegions } = parseConfig({}).config
  assert.deepEqual(allowedRegions, ['US'])
  const several = parseConfig({ CHARTSIDE_ALLOWED_REGIONS: 'US, PR,GU' }).config
  assert.deepEqual(several.allowedRegions, ['US', 'PR', 'GU'])
  assert.deepEqual(parseConfig({ CHARTSIDE_ALLOWED_REGIONS: '*' }).config.allowedRegions, ['*'])
  for (const bad of ['us', 'USA', 'US,*', ',', 'United States', '**']) {
    assert.match(problemsOf({ CHARTSIDE_ALLOWED_REGIONS: bad })[0] ?? '', /REGIONS (has|must)/, bad)
  }
  assert.match(problemsOf({ CHARTSIDE_ALLOWED_REGIONS: 'US,UK' })[0] ?? '', /"UK".* GB/)
})

test('accepts ranges as trusted proxies, except ranges of all addresses [T17]', () => {
  const { config } = parseConfig({ CHARTSIDE_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8' })
  assert.deepEqual(config.trustedProxies, ['loopback', '10.0.0.0/8'])
  const problems = problemsOf({ CHARTSIDE_TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0' })
  assert.match(problems[0] ?? '', /CHARTSIDE_TRUSTED_PROXIES has "0.0.0.0\/0"/)
})
