// A developer's own directory in the sandbox: registered, put on the collection and started with
// its environment; and the messages when that fails.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { EhrSession } from '@chartside/protocol/launch'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { startSandbox } from '../src/sandbox.ts'

const [practice] = SAMPLE_PRACTICES
const MANIFEST = {
  name: 'My App',
  kinds: ['ui'],
  launchUrl: '{origin}/launch',
  redirectUris: ['{origin}/callback'],
}
const SERVER = `import { createServer } from 'node:http'
createServer((request, response) => response.end(JSON.stringify(process.env))).listen(process.env.PORT, '127.0.0.1')
console.log('the app speaks')`

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'chartside-own-'))
})
after(() => rm(root, { recursive: true, force: true }))

async function writeApp(
  name: string,
  manifest: object | null,
  server = SERVER,
  start = 'node app.mjs',
) {
  const directory = join(root, name)
  await mkdir(directory)
  if (manifest) await writeFile(join(directory, 'chartside.app.json'), JSON.stringify(manifest))
  await writeFile(join(directory, 'app.mjs'), server)
  await writeFile(join(directory, 'package.json'), JSON.stringify({ scripts: { start } }))
  return directory
}

const run = (directory: string, lines: string[] = []) =>
  startSandbox({
    port: 0,
    dataDir: join(root, 'data'),
    only: ['none'],
    apps: [directory],
    log: ({ source, text }) => lines.push(`${source}: ${text}`),
  })

async function json<Reply>(url: string, init?: RequestInit): Promise<Reply> {
  return (await (await fetch(url, init)).json()) as Reply
}

/** The names of the apps that a provider of the sample practice gets. */
async function listApps(service: string): Promise<string[]> {
  const headers = { 'content-type': 'application/json' }
  const [{ email }] = practice.providers
  const body = JSON.stringify({ email, password: SAMPLE_PASSWORD })
  const signIn = { method: 'POST', headers, body }
  const { token } = await json<{ token: string }>(`${service}/auth/sign-in`, signIn)
  const signedIn = { ...headers, authorization: `Bearer ${token}` }
  const me = await json<{ memberships: { account: { id: string } }[] }>(`${service}/api/users/me`, {
    headers: signedIn,
  })
  const { apps } = await json<EhrSession>(`${service}/api/sessions`, {
    method: 'POST',
    headers: signedIn,
    body: JSON.stringify({
      accountId: me.memberships[0]?.account.id,
      ehrType: 'meadow',
      deviceId: 'test-device',
    }),
  })
  return apps.map(({ name }) => name)
}

for (const start of ['node app.mjs', 'true && node app.mjs']) {
  test(`registers and starts an app with the start script "${start}"`, async () => {
    const name = start.replace(/\W+/g, '-')
    const lines: string[] = []
    const sandbox = await run(await writeApp(name, MANIFEST, SERVER, start), lines)
    try {
      const port = new URL(sandbox.appUrl('my-app')).port
      const env = await json<Record<string, string>>(`http://127.0.0.1:${port}/`)
      assert.match(env.CLIENT_ID ?? '', /^cli_/)
      assert.match(env.CLIENT_SECRET ?? '', /^cs_/)
      assert.equal(env.PUBLIC_URL, sandbox.appUrl('my-app'))
      assert.equal(env.CHARTSIDE_BASE_URL, sandbox.places.service.url)
      assert.ok(env.CHARTSIDE_TOKEN_URL?.startsWith('http://127.0.0.1:'))
      assert.equal(env.FRAME_ANCESTORS, sandbox.places.ehr.url)
      assert.deepEqual(await listApps(sandbox.places.service.url), ['My App'])
      await sandbox.stop()
      assert.ok(lines.some((line) => line === 'My App: the app speaks'))
      await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
    } finally {
      await sandbox.stop()
    }
  })
}

test('names the missing manifest of a directory', async () => {
  const directory = await writeApp('bare', null)
  await assert.rejects(run(directory), /There is no chartside\.app\.json in .*bare/)
})

test('names the field that the service refuses', async () => {
  const manifest = { ...MANIFEST, launchUrl: 'http://app.example/launch' }
  await assert.rejects(run(await writeApp('refused', manifest)), (error: Error) => {
    assert.match(error.message, /refused\/chartside\.app\.json: launchUrl: This URL/)
    return true
  })
})

test('names the packages of an app that cannot be installed', async () => {
  const directory = await writeApp('lacking', MANIFEST)
  const dependencies = { 'no-such-package': 'file:./no-such.tgz' }
  const scripts = { start: 'node app.mjs' }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ scripts, dependencies }))
  const lines: string[] = []
  await (await run(directory, lines)).stop()
  assert.match(lines.join('\n'), /stopped: lacks no-such-package, and npm install failed/)
})

test('refuses an unknown sample app, and two apps of one name', async () => {
  const options = { port: 0, dataDir: join(root, 'data') }
  await assert.rejects(
    startSandbox({ ...options, only: ['nope'] }),
    /--only nope: the sample apps are/,
  )
  const double = await writeApp('double', { ...MANIFEST, name: 'Visit notes' })
  await assert.rejects(run(double), /are both called "Visit notes"/)
})
