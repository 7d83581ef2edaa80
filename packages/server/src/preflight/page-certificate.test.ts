// Visits real TLS servers whose certificates are good, or bad in each way that browsers refuse: the
// pre-flight has to name the way, because a browser shows the person in the panel an empty frame only.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { visitPage } from './page-visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartside-preflight-'))
const at = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(at(name))
const HOST = 'notes.vendor.com'
const servers: Server[] = []

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })

/** An authority of its own; the name of its files is `name`. */
function makeAuthority(name: string): void {
  openssl(
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), '-subj', `/CN=${name}`],
    ...['-days', '3650', '-addext', 'basicConstraints=critical,CA:TRUE'],
  )
}

interface Wanted {
  readonly issuer?: string
  readonly host?: string
  /** YYYYMMDDHHMMSSZ */
  readonly from?: string
  readonly until?: string
  readonly isAuthority?: boolean
}

/** `openssl ca` alone takes dates of the past. */
function makeCertificate(
  name: string,
  { issuer = 'authority', host = HOST, from, until, isAuthority = false }: Wanted = {},
): void {
  const settings = [
    ...['[ca]', 'default_ca=x', '[x]', `database=${at('index')}`, `new_certs_dir=${folder}`],
    ...['rand_serial=yes', 'default_md=sha256', 'policy=p', 'unique_subject=no', '[p]'],
    ...['commonName=supplied', '[e]', `subjectAltName=DNS:${host}`],
    ...(isAuthority ? ['basicConstraints=critical,CA:TRUE'] : []),
  ]
  writeFileSync(at('ca.cnf'), settings.join('\n'))
  writeFileSync(at('index'), '')
  openssl(
    ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`],
  )
  openssl(
    ...['ca', '-config', at('ca.cnf'), '-batch', '-notext', '-extensions', 'e', '-days', '365'],
    ...['-cert', at(`${issuer}.pem`), '-keyfile', at(`${issuer}.key`)],
    ...['-in', at(`${name}.csr`), '-out', at(`${name}.pem`)],
    ...(from === undefined ? [] : ['-startdate', from]),
    ...(until === undefined ? [] : ['-enddate', until]),
  )
}

before(() => {
  makeAuthority('authority')
  makeAuthority('unknown')
  setDefaultCACertificates([...getCACertificates(), read('authority.pem').toString()])
})
after(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

const serve = (options: ServerOptions) =>
  listen(createServer(options, (_request, response) => response.end('a page')))

/** A server with this certificate, its own key, and what else it sends of the chain. */
const serveCertificate = (name: string, ...chain: string[]) =>
  serve({
    key: read(`${name}.key`),
    cert: Buffer.concat([name, ...chain].map((one) => read(`${one}.pem`))),
  })

const visit = (port: number) =>
  visitPage(
    {
      resolve: async () => ['127.0.0.1'],
      allowsLoopback: true,
      allowsAnyPort: true,
      clock: Date.now,
      ownOrigins: new Set(),
      refusalGridMs: 0,
    },
    `https://${HOST}:${port}/launch`,
    new Set([String(port)]),
    AbortSignal.timeout(5000),
  )

async function problemOf(port: number): Promise<string | undefined> {
  const { hops, problem } = await visit(port)
  assert.deepEqual(hops, [], 'nothing is read of a server that is not the one that it should be')
  return problem?.code
}

test('reads a page whose certificate is good, and when it ends', async () => {
  makeCertificate('good', { until: '20390102030405Z' })
  const { hops, problem } = await visit(await serveCertificate('good'))
  assert.equal(problem, undefined)
  assert.equal(hops[0]?.body, 'a page')
  assert.equal(hops[0]?.certificateEndsAt, Date.parse('2039-01-02T03:04:05Z'))
})

test('says that a certificate has ended, or has not begun', async () => {
  makeCertificate('ended', { from: '20200101000000Z', until: '20200201000000Z' })
  assert.equal(await problemOf(await serveCertificate('ended')), 'certificate_expired')
  makeCertificate('early', { from: '20390101000000Z', until: '20400101000000Z' })
  assert.equal(await problemOf(await serveCertificate('early')), 'certificate_expired')
})

test('says that a certificate is for another host', async () => {
  makeCertificate('other', { host: 'www.vendor.com' })
  assert.equal(await problemOf(await serveCertificate('other')), 'certificate_of_another_host')
})

test('says that browsers do not trust who signed it, or that the chain is not whole', async () => {
  const untrusted = 'certificate_untrusted'
  assert.equal(await problemOf(await serveCertificate('unknown')), untrusted, 'signed by itself')
  makeCertificate('stranger', { issuer: 'unknown' })
  assert.equal(await problemOf(await serveCertificate('stranger')), untrusted, 'of no known issuer')
  assert.equal(
    await problemOf(await serveCertificate('stranger', 'unknown')),
    untrusted,
    'with the certificate of its issuer',
  )
  makeCertificate('intermediate', { isAuthority: true })
  makeCertificate('leaf', { issuer: 'intermediate' })
  assert.equal(await problemOf(await serveCertificate('leaf')), untrusted, 'intermediate left out')
  const { problem } = await visit(await serveCertificate('leaf', 'intermediate'))
  assert.equal(problem, undefined, 'the whole chain')
})

test('says that a server speaks no TLS, or none that browsers speak', async () => {
  const plain = createPlainServer((_request, response) => response.end('a page'))
  assert.equal(await problemOf(await listen(plain)), 'tls_failed')
  const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const
  const port = await serve({ key: read('good.key'), cert: read('good.pem'), ...old })
  assert.equal(await problemOf(port), 'tls_failed')
})
