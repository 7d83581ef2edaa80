// Secrets that stand in files: read whole, refused when they are ambiguous or unreadable, never repeated.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, parseConfig } from './config.ts'
import { FILE_VARIABLES, warnOfReadableSecrets } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartside-secrets-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

test('reads each secret from the file that its variable names', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const { config, warnings } = parseConfig({
    CHARTSIDE_MASTER_KEY_FILE: file('key', `${key}\n`),
    CHARTSIDE_ADMIN_EMAIL: 'admin@connect.example',
    CHARTSIDE_ADMIN_PASSWORD_FILE: file('password', ' two words and a space \n'),
    CHARTSIDE_DATABASE_URL_FILE: file('url', 'postgres://app:secret@localhost/chartside'),
  })
  assert.deepEqual(warnings, [])
  assert.equal(config.adminPassword, ' two words and a space ')
  assert.equal(config.databaseUrl, 'postgres://app:secret@localhost/chartside')
  assert.equal(String(config.masterKey), key)
})

test('refuses a secret that is given twice, is empty, or cannot be read', () => {
  const both = {
    CHARTSIDE_OIDC_CLIENT_SECRET: 'a',
    CHARTSIDE_OIDC_CLIENT_SECRET_FILE: file('b', 'b'),
  }
  assert.match(problemsOf(both)[0] ?? '', /both set; keep one/)
  assert.match(problemsOf({ CHARTSIDE_ADMIN_PASSWORD_FILE: file('none', '\n') })[0] ?? '', /empty/)
  const absent = problemsOf({ CHARTSIDE_MASTER_KEY_FILE: join(folder, 'absent') })[0] ?? ''
  assert.match(absent, /CHARTSIDE_MASTER_KEY_FILE names .*absent.*ENOENT/)
})

test('names a file that cannot be read once, and not its secret as missing', () => {
  const problems = problemsOf({
    CHARTSIDE_ENVIRONMENT: 'production',
    CHARTSIDE_BASE_URL: 'https://connect.example',
    CHARTSIDE_MASTER_KEY_FILE: join(folder, 'absent'),
  })
  assert.deepEqual(
    problems.filter((problem) => problem.includes('MASTER_KEY')).map((text) => text.split(' ')[0]),
    ['CHARTSIDE_MASTER_KEY_FILE'],
  )
})

test('a secret in a file is checked as in the environment, and not repeated', () => {
  const [problem = ''] = problemsOf({ CHARTSIDE_MASTER_KEY_FILE: file('bad', 'not-a-key-at-all') })
  assert.match(problem, /CHARTSIDE_MASTER_KEY/)
  assert.doesNotMatch(problem, /not-a-key-at-all/)
})

test('only settings that hold secrets have a variable for a file', () => {
  assert.ok(FILE_VARIABLES.includes('CHARTSIDE_MASTER_KEY_FILE'))
  assert.ok(!FILE_VARIABLES.includes('CHARTSIDE_PORT_FILE'))
})

const needsPermissions = process.platform === 'win32' ? 'Windows has no permissions for all' : false

test('warns of a secret that every user can read', { skip: needsPermissions }, () => {
  const key = '/etc/chartside/master-key'
  const warn = (modes: Readonly<Record<string, number>>, isInMemory = false) =>
    warnOfReadableSecrets(
      { CHARTSIDE_MASTER_KEY_FILE: key, CHARTSIDE_TLS_KEY_FILE: key, CHARTSIDE_PORT: '1' },
      { modeOf: (path) => modes[path] ?? 0o755, isInMemory: () => isInMemory },
    )
  const found = warn({ [key]: 0o100644 })
  assert.equal(found.length, 2)
  assert.match(found[0] ?? '', /^CHARTSIDE_MASTER_KEY_FILE names .* every user .*chmod o= \/etc/)
  assert.match(found[1] ?? '', /^CHARTSIDE_TLS_KEY_FILE/)
  assert.deepEqual(warn({ [key]: 0o100640 }), [], 'for a group')
  assert.deepEqual(warn({ [key]: 0o100644, '/etc/chartside': 0o750 }), [], 'in a closed folder')
  assert.deepEqual(warn({ [key]: 0o100644, '/': 0o750 }), [], 'below a closed folder')
  assert.deepEqual(warn({ [key]: 0o100444 }, true), [], 'as containers get it')
})

test('a start warns of such a file on this machine', { skip: needsPermissions }, () => {
  const closed = file('closed', Buffer.alloc(32, 7).toString('base64'))
  chmodSync(closed, 0o600)
  assert.deepEqual(parseConfig({ CHARTSIDE_MASTER_KEY_FILE: closed }).warnings, [])
  assert.throws(
    () => parseConfig({ CHARTSIDE_MASTER_KEY_FILE: '/etc/passwd' }),
    ({ warnings }: ConfigError) => /names \/etc\/passwd, which every user/.test(warnings[0] ?? ''),
  )
  const absent = { CHARTSIDE_MASTER_KEY_FILE: join(folder, 'absent') }
  assert.deepEqual(warnOfReadableSecrets(absent), [])
})
