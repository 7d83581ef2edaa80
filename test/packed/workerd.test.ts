// The server half of the app kit on a Workers runtime: from the packed archive, bundled, in workerd, against the fake
// issuer. One code is exchanged, its ID token opens a session, and what is refused elsewhere is refused here.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { type FakeIssuer, startFakeIssuer } from '@chartside/test-kit'
import { build } from 'esbuild'
import { installShared } from './installation.ts'
import { copyArchives } from './packed-archives.ts'

/** It publishes a version every day; this one is the Workers runtime of one day. */
const WORKERD = '1.20261117.1'
/** The package of its program, whose install script is not run. */
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-64',
  'darwin-arm64': 'darwin-arm64',
}
const REDIRECT_URI = 'https://notes.example/callback'

/** As an author writes it: nothing of Node.js, the credentials from the bindings. */
const WORKER = `
import { createAppKit, createSessions, createWebApp, routeExchange } from '@chartside/app-kit/server'
let app
const open = (env) => createWebApp({
  name: 'Ward Notes',
  slug: 'ward-notes',
  settings: {
    port: 0,
    host: '',
    publicUrl: 'https://notes.example',
    baseUrl: env.BASE_URL,
    tokenUrl: env.BASE_URL + '/app-auth/token',
    frameAncestors: [],
    clientId: env.CLIENT_ID,
    clientSecret: env.CLIENT_SECRET,
  },
  launch: routeExchange,
  api: (sessions) => ({
    'GET /api/me': async (request) => Response.json({ userId: (await sessions.authenticate(request))?.userId ?? null }),
  }),
  log: (...said) => console.log(...said),
})
export default {
  fetch(request, env) {
    app ??= open(env)
    return app(request)
  },
}
`

let folder: string
let issuer: FakeIssuer
let runtime: ChildProcess
let origin: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartside-workerd-'))
  issuer = await startFakeIssuer({ redirectUris: [REDIRECT_URI] })
  const archives = await copyArchives(join(folder, 'archives'))
  const kit = ['@chartside/app-kit', '@chartside/protocol'].map((name) => [
    name,
    `file:${archives.get(name)}`,
  ])
  await installShared(folder, { ...Object.fromEntries(kit), workerd: WORKERD })
  await writeFile(join(folder, 'worker.js'), WORKER)
  await build({
    entryPoints: [join(folder, 'worker.js')],
    outfile: join(folder, 'bundle.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    target: 'es2022',
    logLevel: 'silent',
  })
  await writeFile(join(folder, 'config.capnp'), configOf(issuer))
  origin = await startRuntime()
})
after(async () => {
  if (runtime && runtime.exitCode === null && runtime.kill()) await once(runtime, 'exit')
  await issuer?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The outbound network reaches loopback only. */
const configOf = ({ baseUrl, clientId, clientSecret }: FakeIssuer) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundle.js")],
  compatibilityDate = "2026-01-01",
  bindings = [
    (name = "BASE_URL", text = "${baseUrl}"),
    (name = "CLIENT_ID", text = "${clientId}"),
    (name = "CLIENT_SECRET", text = "${clientSecret}"),
  ],
);
`

/** It says on a descriptor of its own where it listens. */
async function startRuntime(): Promise<string> {
  const program = `@cloudflare/workerd-${PLATFORMS[`${process.platform}-${process.arch}`]}/bin/workerd`
  const command = createRequire(join(folder, 'worker.js')).resolve(program)
  runtime = spawn(command, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const control = runtime.stdio[3] as NodeJS.ReadableStream
  for await (const line of createInterface({ input: control })) {
    const { event, socket, port } = JSON.parse(line)
    if (event === 'listen' && socket === 'http') return `http://127.0.0.1:${port}`
  }
  throw new Error('workerd ended before it listened.')
}

const post = (path: string, body: object, headers: object = {}) =>
  fetch(origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: 'https://notes.example',
      ...headers,
    },
    body: JSON.stringify(body),
  })

const mintExchange = () => {
  const { code, codeVerifier, nonceProof } = issuer.mintCallback()
  return { exchange: { code, code_verifier: codeVerifier }, nonce_proof: nonceProof }
}

test('exchanges a code, and opens the session of its user by the ID token', async () => {
  const { exchange, nonce_proof } = mintExchange()
  const exchanged = await post('/api/exchange', exchange)
  assert.equal(exchanged.status, 200, await exchanged.clone().text())
  const { id_token } = (await exchanged.json()) as { id_token: string }
  const opened = await post('/api/session', { id_token, nonce_proof })
  assert.ok(opened.ok, await opened.clone().text())
  assert.match(opened.headers.getSetCookie().join(), /HttpOnly.*Partitioned|Partitioned.*HttpOnly/)
  const { session } = (await opened.json()) as { session: { token: string } }
  const me = await fetch(`${origin}/api/me`, {
    headers: { authorization: `Bearer ${session.token}` },
  })
  const { userId } = (await me.json()) as { userId: string }
  assert.ok(userId)
  const again = await post('/api/session', { id_token, nonce_proof })
  assert.equal(again.ok, false, 'an ID token opens one session')
})

test('refuses a code that is unknown, and an ID token that another key has signed', async () => {
  const unknown = await post('/api/exchange', { ...mintExchange().exchange, code: 'ac_unknown' })
  assert.equal(unknown.ok, false)
  assert.match(await unknown.text(), /"error":"invalid_grant"/)
  const { nonce_proof } = mintExchange()
  const id_token = issuer.mintIdToken({ kind: 'foreign_key' })
  const foreign = await post('/api/session', { id_token, nonce_proof })
  assert.equal(foreign.ok, false)
  assert.match(await foreign.text(), /signature/)
})
