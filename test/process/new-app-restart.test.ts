// A new app as a process with SESSIONS_FILE, killed and started again: the session goes on, and a used ID token
// stays used. In this repository, whose packages it finds; its service is that of the test kit.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FakeIssuer, startFakeIssuer } from '@chartside/test-kit'
import { createAppBrowser } from '@chartside/test-kit/app'
import { buildAppFiles } from '../../packages/create-chartside-app/src/app-files.ts'
import { fromRegistry } from '../../packages/create-chartside-app/src/packages.ts'
import { writeApp } from '../../packages/create-chartside-app/src/write-app.ts'

const folder = fileURLToPath(new URL('../../.chartside/', import.meta.url))

async function writeNewApp(t: TestContext): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const root = mkdtempSync(join(folder, 'restart-'))
  t.after(() => rmSync(root, { recursive: true }))
  const choices = { name: 'Notes', option: '1', framework: 'fastify', kind: 'ui' } as const
  const directory = join(root, 'notes')
  await writeApp(directory, await buildAppFiles(choices, fromRegistry('^1.0.0')), t.signal)
  return directory
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function startApp(
  t: TestContext,
  cwd: string,
  env: Record<string, string>,
): Promise<ChildProcess> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const args = ['--disable-warning=ExperimentalWarning', 'src/main.mjs']
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [...stdio],
  })
  t.after(() => child.kill('SIGKILL'))
  for await (const text of child.stdout ?? []) if (String(text).includes('listening on')) break
  return child
}

async function killApp(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** What a page presents for its session. */
async function exchange(origin: string, issuer: FakeIssuer, redirectUri: string) {
  const launch = issuer.mintLaunch()
  const { code, codeVerifier, nonceProof } = issuer.mintCallback(launch, { redirectUri })
  const { send } = createAppBrowser(origin)
  const answer = await send('/api/exchange', { code, code_verifier: codeVerifier })
  const { id_token } = (await answer.json()) as { id_token: string }
  return { id_token, nonce_proof: nonceProof }
}

for (const [kept, expected] of [
  ['sessions.sqlite', { session: 200, usedAgain: 401 }],
  ['', { session: 401, usedAgain: 200 }],
] as const) {
  test(`a restart ${kept ? 'keeps sessions in a file' : 'loses sessions in memory'} [R10]`, async (t) => {
    const directory = await writeNewApp(t)
    const port = await findPort()
    const origin = `http://127.0.0.1:${port}`
    const redirectUri = `${origin}/callback`
    const issuer = await startFakeIssuer({ redirectUris: [redirectUri] })
    t.after(() => issuer.stop())
    const env = {
      ...{ CLIENT_ID: issuer.clientId, CLIENT_SECRET: issuer.clientSecret },
      ...{ CHARTSIDE_BASE_URL: issuer.baseUrl, PUBLIC_URL: origin },
      ...{ PORT: String(port), SESSIONS_FILE: kept, FRAME_ANCESTORS: '' },
    }
    const before = await startApp(t, directory, env)
    const proof = await exchange(origin, issuer, redirectUri)
    const { send } = createAppBrowser(origin)
    const started = await send('/api/session', proof)
    assert.equal(started.status, 200)
    const { session } = (await started.json()) as { session: { id: string; token: string } }

    await killApp(before)
    await startApp(t, directory, env)
    const headers = { authorization: `Bearer ${session.token}`, 'x-session-id': session.id }
    assert.equal((await send('/api/me', undefined, headers)).status, expected.session)
    const renewed = await send('/api/session/renew', {}, headers)
    assert.equal(renewed.status, expected.session)
    const again = await createAppBrowser(origin).send('/api/session', proof)
    assert.equal(again.status, expected.usedAgain, 'an ID token is accepted once')
  })
}
