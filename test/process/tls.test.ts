// TLS in the service itself, with certificates of openssl: versions, a renewal without a lost connection, by
// itself and by SIGHUP, and what a start says about files that cannot be used. Security H03.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connect,
  type PeerCertificate,
  type SecureVersion,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls'
import { runCommand } from './command.ts'
import { ADMIN, findFreePort, spawnService } from './service-process.ts'
import { exchange, freshCode, setUpPractice } from './story-verbs.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartside-tls-'))
const at = (name: string) => join(folder, name)
after(() => rmSync(folder, { recursive: true, force: true }))

const NAME = 'connect.example'

/** A certificate for the name, signed by itself, with its key. */
function makeCertificate(name: string, days: number): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), '-subj', `/CN=${name}`],
      ...['-addext', `subjectAltName=DNS:${NAME},DNS:localhost`, '-days', String(days)],
    ],
    { stdio: 'ignore' },
  )
}

/** `openssl ca` alone takes dates of the past. */
function makeExpired(): void {
  const settings = [
    ...['[ca]', 'default_ca=x', '[x]', `database=${at('index')}`, `new_certs_dir=${folder}`],
    ...['rand_serial=yes', 'default_md=sha256', 'policy=p', '[p]', 'commonName=supplied'],
  ]
  writeFileSync(at('ca.cnf'), settings.join('\n'))
  writeFileSync(at('index'), '')
  const key = at('first.key')
  const request = ['-new', '-key', key, '-subj', '/CN=old', '-out', at('old.csr')]
  execFileSync('openssl', ['req', ...request])
  const signed = ['-config', at('ca.cnf'), '-batch', '-notext', '-selfsign', '-keyfile', key]
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z']
  const result = ['-in', at('old.csr'), '-out', at('expired.pem')]
  execFileSync('openssl', ['ca', ...signed, ...dates, ...result], { stdio: 'ignore' })
}

const files = (cert: string, key = cert) => ({
  CHARTSIDE_BASE_URL: `https://${NAME}`,
  CHARTSIDE_TLS_CERT_FILE: at(`${cert}.pem`),
  CHARTSIDE_TLS_KEY_FILE: at(`${key}.key`),
})

const use = (name: string) => {
  copyFileSync(at(`${name}.key`), at('live.key'))
  copyFileSync(at(`${name}.pem`), at('live.pem'))
}

before(() => {
  makeCertificate('first', 90)
  makeCertificate('second', 90)
  makeCertificate('third', 3)
})

function handshake(port: number, versions: { maxVersion?: SecureVersion } = {}) {
  return new Promise<{ peer: PeerCertificate; protocol: string | null }>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', servername: NAME, rejectUnauthorized: false }
    const socket: TLSSocket = connect({ ...options, minVersion: 'TLSv1', ...versions }, () => {
      resolve({ peer: socket.getPeerCertificate(), protocol: socket.getProtocol() })
      socket.end()
    })
    socket.on('error', reject)
  })
}

function get(port: number, agent: Agent) {
  return new Promise<{ status: number; headers: object; isReused: boolean }>((resolve, reject) => {
    const options = { port, agent, path: '/health/ready', host: '127.0.0.1', servername: NAME }
    const asked = request({ ...options, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          isReused: asked.reusedSocket,
        }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

async function waitForName(port: number, name: string): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    const { peer } = await handshake(port)
    if (peer.subject.CN === name) return
    assert.ok(waited < 10_000, `still ${peer.subject.CN}`)
    await sleep(50)
  }
}

test('serves TLS 1.2 and newer, and renews without a lost connection [H03]', async (t) => {
  use('first')
  const metricsPort = await findFreePort()
  const { child, port, ended, output, dataDir } = await spawnService({
    environment: { ...files('live'), CHARTSIDE_METRICS_PORT: String(metricsPort) },
  })
  const expiry = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const [, seconds] =
      /^chartside_tls_certificate_expiry_timestamp_seconds (\S+)$/m.exec(text) ?? []
    return Number(seconds) * 1000
  }
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  t.after(() => child.kill('SIGKILL'))
  while (!output().includes('"ready"')) await sleep(10)
  const { peer, protocol } = await handshake(port)
  assert.equal(protocol, 'TLSv1.3')
  assert.equal(await expiry(), Date.parse(peer.valid_to), 'the metric has the end of the first')
  assert.equal((await handshake(port, { maxVersion: 'TLSv1.2' })).protocol, 'TLSv1.2')
  await assert.rejects(handshake(port, { maxVersion: 'TLSv1.1' }))

  await assert.rejects(fetch(`http://127.0.0.1:${port}/health`), 'no answer without TLS')

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const before = await get(port, agent)
  assert.equal(before.status, 200)
  assert.match(JSON.stringify(before.headers), /"strict-transport-security":"max-age=31536000"/)

  use('second')
  child.kill('SIGHUP')
  await waitForName(port, 'second')
  const kept = await get(port, agent)
  assert.deepEqual([kept.status, kept.isReused], [200, true], 'the open connection goes on')

  // Half a renewal: the key of another. The good pair stays.
  copyFileSync(at('third.key'), at('live.key'))
  child.kill('SIGHUP')
  while (!output().includes('previous one stays')) await sleep(10)
  assert.equal((await handshake(port)).peer.subject.CN, 'second')

  // The service looks by itself.
  use('third')
  await waitForName(port, 'third')
  assert.match(output(), /the TLS certificate expires in 2 days/)
  assert.equal(await expiry(), Date.parse((await handshake(port)).peer.valid_to))

  const health = await runCommand(['health', '--ready'], {
    ...files('live'),
    CHARTSIDE_PORT: String(port),
  })
  assert.deepEqual([health.code, health.stdout], [0, '{"status":"ready","ready":true}\n'])
  // A browser opens a connection ahead of need, and sends nothing on it.
  const silent = connect({ port, host: '127.0.0.1', servername: NAME, rejectUnauthorized: false })
  t.after(() => silent.destroy())
  silent.on('error', () => {})
  await once(silent, 'secureConnect')
  child.kill('SIGTERM')
  const inTime = await Promise.race([ended, sleep(10_000)])
  assert.deepEqual(inTime, { code: 0, signal: null })
})

/** Of the embedded database, if the start has made one. */
function tablesOf(dataDir: string): unknown[] {
  const [file] = globSync(join(dataDir, '*.db'))
  if (!file) return []
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  } finally {
    database.close()
  }
}

test('a start names what is wrong with the certificate or the key', async () => {
  writeFileSync(at('text.pem'), 'no certificate')
  writeFileSync(at('text.key'), 'no key')
  const locked = ['-out', at('locked.key'), '-aes256', '-passout', 'pass:x']
  execFileSync('openssl', ['pkey', '-in', at('first.key'), ...locked])
  makeExpired()
  const cases: [Record<string, string>, RegExp][] = [
    [{ ...files('first'), CHARTSIDE_TLS_KEY_FILE: '' }, /CHARTSIDE_TLS_KEY_FILE is missing/],
    [{ ...files('first'), CHARTSIDE_BASE_URL: 'http://x.example' }, /must be an https address/],
    [files('absent'), /absent\.pem cannot be read \(ENOENT\)/],
    [files('text', 'first'), /holds no certificate in PEM/],
    [files('first', 'text'), /holds no private key in PEM/],
    [files('first', 'locked'), /has a passphrase/],
    [files('first', 'second'), /key does not belong to the certificate/],
    [files('expired', 'first'), /expired at .*; renew it/],
  ]
  const port = await findFreePort()
  for (const [environment, expected] of cases) {
    const { ended, output, dataDir } = await spawnService({ environment, port })
    const { code } = await ended
    assert.deepEqual(tablesOf(dataDir), [], 'the database is as it was')
    rmSync(dataDir, { recursive: true, force: true })
    assert.equal(code, 1, output())
    assert.match(output(), expected)
    assert.doesNotMatch(output(), /\n {4}at /)
  }
})

/** The first bytes of a ClientHello, and no more. */
const HALF = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])

function openUnfinished(
  port: number,
  count: number,
  localAddress = '127.0.0.1',
): Promise<Socket[]> {
  const open = async (_: unknown, i: number) => {
    const socket = connectPlain({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {}).resume()
    const closed = once(socket, 'close')
    await Promise.race([once(socket, 'connect'), closed])
    if (i % 2 === 0) socket.write(HALF)
    return socket
  }
  return Promise.all(Array.from({ length: count }, open))
}

test('ends unfinished handshakes in time, and stops while some are open [V25]', async (t) => {
  const environment = { ...files('first'), CHARTSIDE_DRAIN_SECONDS: '0' }
  const { child, port, ended, output, dataDir } = await spawnService({ environment })
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  t.after(() => child.kill('SIGKILL'))
  while (!output().includes('"ready"')) await sleep(10)
  const unfinished = await openUnfinished(port, 50)
  assert.ok((await handshake(port)).protocol)
  await Promise.all(unfinished.map((socket) => socket.destroyed || once(socket, 'close')))
  const late = await openUnfinished(port, 20)
  const began = performance.now()
  child.kill('SIGTERM')
  await ended
  assert.ok(performance.now() - began < 8_000, 'the stop waits for no handshake')
  for (const socket of late) socket.destroy()
})

/** Other systems have one loopback address, and do not list descriptors. */
const ON_LINUX = { skip: process.platform !== 'linux' }

test('launches go on beside unfinished handshakes of a network [V25]', ON_LINUX, async (t) => {
  const listening = await findFreePort()
  const baseUrl = `https://localhost:${listening}`
  const environment = { ...files('first'), CHARTSIDE_BASE_URL: baseUrl }
  const { child, port, output, dataDir } = await spawnService({ environment, port: listening })
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  t.after(() => child.kill('SIGKILL'))
  while (!output().includes('"ready"')) await sleep(10)
  setDefaultCACertificates([readFileSync(at('first.pem'), 'utf8')])
  const practice = await setUpPractice(baseUrl, ADMIN)
  const countDescriptors = () => readdirSync(`/proc/${child.pid}/fd`).length
  const before = countDescriptors()
  const unfinished = openUnfinished(port, 900, '127.0.0.2')
  let most = before
  for (let count = 0; count < 12; count++) {
    const { status } = await exchange(practice, await freshCode(practice))
    assert.equal(status, 200)
    most = Math.max(most, countDescriptors())
  }
  for (const socket of await unfinished) socket.destroy()
  assert.ok(most > before + 100, 'the handshakes were held meanwhile')
  assert.ok(most < before + 300, `${most - before} descriptors more`)
})
