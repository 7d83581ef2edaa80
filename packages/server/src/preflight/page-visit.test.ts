// Visits hostile servers over real sockets: names that change their address, redirects into internal
// networks, answers that never end, are huge or are packed. Loopback stands for the Internet here.
import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as listenWith } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { MAX_BODY_BYTES } from './page-request.ts'
import { type Network, visitPage } from './page-visit.ts'

let server: Server
let port: number
let listener: RequestListener
let requests: { url: string; headers: Readonly<Record<string, unknown>> }[]
let sockets = 0
before(async () => {
  server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    listener(request, response)
  })
  server.on('connection', () => {
    sockets += 1
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests = []
  sockets = 0
})

const base: Network = {
  resolve: async () => [],
  allowsLoopback: true,
  allowsAnyPort: true,
  clock: Date.now,
  ownOrigins: new Set(['https://chartside.vendor.com']),
  refusalGridMs: 0,
}

const visit = (path: string, network: Partial<Network> = {}, ms = 2000) =>
  visitPage(
    { ...base, ...network },
    path.startsWith('http') ? path : `http://localhost:${port}${path}`,
    new Set([String(port)]),
    AbortSignal.timeout(ms),
  )

const redirectTo =
  (location: string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location }).end()

test('reads status, headers and body of a page, and sends nothing about anyone', async () => {
  listener = (_request, response) =>
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'content-type': 'text/html' }).end('hi')
  const { hops, problem } = await visit('/launch?tenant=7')
  assert.equal(problem, undefined)
  assert.deepEqual([hops[0]?.status, hops[0]?.body, hops[0]?.isBodyInTime], [200, 'hi', true])
  assert.equal(hops[0]?.headers.filter(([name]) => name === 'set-cookie').length, 2)
  const [sent] = requests
  assert.equal(sent?.url, '/launch?tenant=7')
  assert.deepEqual(Object.keys(sent?.headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

test('connects to the address of the first resolution, whatever the name says later', async () => {
  listener = (_request, response) => response.end('first')
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']
  }
  const { hops } = await visit(`http://rebind.vendor.com:${port}/`, { resolve })
  assert.deepEqual(
    [asked, hops[0]?.body, requests[0]?.headers.host],
    [1, 'first', `rebind.vendor.com:${port}`],
  )
})

test('resolves a name anew for each redirect, and refuses what it became', async () => {
  listener = redirectTo(`https://rebind.vendor.com:${port}/next`)
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254', '10.0.0.8']
  }
  const { problem, hops } = await visit(`http://rebind.vendor.com:${port}/`, { resolve })
  assert.deepEqual([problem?.code, hops.length, requests.length], ['no_public_address', 1, 1])
})

for (const target of [
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[fd00:ec2::254]/',
  'https://2852039166/',
  'https://10.0.0.5/admin',
]) {
  test(`does not follow a redirect to ${target}`, async () => {
    listener = redirectTo(target)
    const { problem } = await visit('/')
    assert.equal(problem?.code, 'no_public_address')
    assert.equal(requests.length, 1)
  })
}

test('reaches loopback by no spelling where it may not', async () => {
  listener = (_request, response) => response.end('inside')
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', 'a.localhost', '0x7f.1']) {
    const { problem } = await visit(`http://${host}:${port}/`, { allowsLoopback: false })
    assert.equal(problem?.code, 'no_public_address', host)
  }
  const resolve = async () => ['127.0.0.1', '::ffff:127.0.0.1', '::1']
  const named = await visit(`https://inside.vendor.com:${port}/`, {
    allowsLoopback: false,
    resolve,
  })
  assert.equal(named.problem?.code, 'no_public_address')
  assert.deepEqual([sockets, requests.length], [0, 0])
})

for (const [what, target] of [
  ['plain http to another machine', 'http://vendor.com/'],
  ['another port', 'https://localhost:1/'],
  ['credentials', 'https://user:pass@localhost/'],
  ['another scheme', 'file:///etc/passwd'],
  ['gopher', 'gopher://localhost:6379/_FLUSHALL'],
  ['no address', 'https://'],
] as const) {
  test(`refuses a redirect with ${what}`, async () => {
    listener = redirectTo(target)
    const { problem, hops } = await visit('/')
    assert.deepEqual([problem?.code, hops.length], ['redirect_refused', 1])
  })
}

test('follows three redirects and no fourth', async () => {
  listener = (request, response) => {
    const step = Number(request.url?.slice(1))
    if (step < 4) response.writeHead(302, { location: `/${step + 1}` }).end()
    else response.end('there')
  }
  assert.equal((await visit('/1')).hops.at(-1)?.body, 'there')
  const { problem, hops } = await visit('/0')
  assert.deepEqual([problem?.code, hops.length], ['too_many_redirects', 4])
})

test('stops where a page leads to the service itself', async () => {
  listener = redirectTo('https://chartside.vendor.com/app-auth/authorize?client_id=x')
  const { endsAtService, problem } = await visit('/')
  assert.deepEqual([endsAtService, problem], [true, undefined])
})

test('ends at its deadline when headers, body or redirects drip', async (t) => {
  const drip = (write: () => void) => {
    const timer = setInterval(write, 20)
    t.after(() => clearInterval(timer))
  }
  listener = (request, response) => {
    if (request.url === '/headers') {
      request.socket.write('HTTP/1.1 200 OK\r\n')
      drip(() => request.socket.write('x-a: b\r\n'))
    } else if (request.url === '/body') {
      response.writeHead(200, { 'x-frame-options': 'DENY' })
      drip(() => response.write('.'))
    } else drip(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'))
  }
  const startedAt = performance.now()
  const [headers, body, hints] = await Promise.all([
    visit('/headers', {}, 300),
    visit('/body', {}, 300),
    visit('/hints', {}, 300),
  ])
  assert.ok(performance.now() - startedAt < 1500)
  assert.equal(headers.problem?.code, 'timed_out')
  assert.equal(hints.problem?.code, 'timed_out')
  assert.equal(body.problem, undefined)
  assert.equal(body.hops[0]?.isBodyInTime, false)
  assert.ok(body.hops[0]?.headers.some(([name]) => name === 'x-frame-options'))
})

test('waits for no name server longer than its deadline', async () => {
  const resolve: Network['resolve'] = (_name, signal) =>
    new Promise((done) => signal.addEventListener('abort', () => done([])))
  const { problem } = await visit('https://slow.vendor.com/', { resolve }, 100)
  assert.equal(problem?.code, 'no_public_address')
})

test('reads at most 64 KB of headers and 256 KB of a body', async () => {
  listener = (request, response) => {
    if (request.url === '/headers') response.writeHead(200, { 'x-big': 'x'.repeat(70_000) }).end()
    else {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    }
  }
  assert.equal((await visit('/headers')).problem?.code, 'headers_too_large')
  const { hops } = await visit('/endless')
  assert.deepEqual([hops[0]?.body.length, hops[0]?.isBodyInTime], [MAX_BODY_BYTES, true])
})

test('unpacks nothing, so a small answer stays small', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  listener = (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  const before = process.memoryUsage().arrayBuffers
  const { hops } = await visit('/')
  assert.deepEqual([hops[0]?.status, hops[0]?.body], [200, ''])
  assert.ok(process.memoryUsage().arrayBuffers - before < 10 * 1024 * 1024)
})

test('says when what answers is not HTTP, closes at once or is not there', async () => {
  listener = (request) => request.socket.end('SSH-2.0-OpenSSH\r\n')
  assert.equal((await visit('/')).problem?.code, 'not_http')
  listener = (request) => request.socket.destroy()
  assert.equal((await visit('/')).problem?.code, 'connection_failed')
  listener = (_request, response) => response.end()
  assert.equal((await visit(`https://localhost:${port}/`)).problem?.code, 'tls_failed')
  assert.equal((await visit('http://localhost:1/')).problem?.code, 'connection_refused')
})

test('answers refused hosts at the same time, known to the resolver or not', async () => {
  const times: number[] = []
  for (const addresses of [[], ['10.0.0.1']]) {
    const startedAt = performance.now()
    const resolve = async () => addresses
    const { problem } = await visit('https://x.vendor.com/', { resolve, refusalGridMs: 120 })
    assert.equal(problem?.code, 'no_public_address')
    times.push(performance.now() - startedAt)
  }
  for (const time of times) assert.ok(time > 100 && time < 230, String(times))
})

test('tells a port scanner nothing of closed, silent and other servers [V35]', async (t) => {
  const silent = listenWith(() => {}).listen(0, '127.0.0.1')
  const talking = listenWith((socket) => void socket.on('error', () => {}).end('220 mail\r\n'))
  talking.listen(0, '127.0.0.1')
  const closed = listenWith().listen(0, '127.0.0.1')
  const ports = await Promise.all(
    [silent, talking, closed].map(async (one) => {
      if (!one.listening) await new Promise((done) => one.once('listening', done))
      return (one.address() as AddressInfo).port
    }),
  )
  await new Promise((done) => closed.close(done))
  t.after(() => {
    silent.close()
    talking.close()
  })
  listener = (_request, response) => response.end('plain http')
  const seen = await Promise.all(
    [...ports, port].map(async (at) => {
      const startedAt = performance.now()
      const url = `https://app.vendor.com:${at}/`
      const { hops, problem } = await visit(url, OUTSIDE, 400)
      return [hops.length, problem?.code, performance.now() - startedAt >= 390]
    }),
  )
  for (const answer of seen) assert.deepEqual(answer, [0, 'no_https', true])
})

const OUTSIDE = { allowsAnyPort: false, resolve: async () => ['127.0.0.1'] }

test('asks no port below 1024 but 443 outside development [V35]', async () => {
  for (const at of ['22', '25', '80', '444', '1023']) {
    const { hops, problem } = await visit(`https://app.vendor.com:${at}/`, OUTSIDE)
    assert.deepEqual([hops.length, problem?.code], [0, 'port_not_asked'], at)
  }
  listener = redirectTo(`https://app.vendor.com:22/`)
  const followed = await visitPage(
    { ...base, ...OUTSIDE, resolve: base.resolve },
    `http://localhost:${port}/`,
    new Set([String(port), '22']),
    AbortSignal.timeout(2000),
  )
  assert.equal(followed.problem?.code, 'redirect_refused')
})

test('names the cause at port 443, which is where a page is', async () => {
  const { problem } = await visit('https://app.vendor.com/', OUTSIDE, 400)
  assert.notEqual(problem?.code, 'no_https')
})
