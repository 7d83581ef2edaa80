// One token endpoint behind Express, Fastify, Hono and plain node:http: the same requests, the same
// answers. Contract §6; spec §4.3.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { toExpress } from '../src/adapters/express.ts'
import { toFastify } from '../src/adapters/fastify.ts'
import { createAppKit } from '../src/server/index.ts'

type Handler = (request: Request) => Promise<Response>
type Send = (path: string, init: RequestInit) => Promise<Response>
type Mount = (t: TestContext, handlers: Readonly<Record<string, Handler>>) => Promise<Send>

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<Send> {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
}

const mountExpress =
  (prepare: (app: express.Express) => void): Mount =>
  async (t, handlers) => {
    const app = express()
    prepare(app)
    for (const [path, handler] of Object.entries(handlers)) app.post(path, toExpress(handler))
    const onError: express.ErrorRequestHandler = (_error, _request, response, _next) =>
      void response.status(599).end()
    app.use(onError)
    return listen(t, createServer(app))
  }

const mountFastify: Mount = async (t, handlers) => {
  const app = fastify()
  for (const [path, handler] of Object.entries(handlers)) app.post(path, toFastify(handler))
  app.setErrorHandler((error, _request, reply) => {
    const { statusCode = 599 } = error as { statusCode?: number }
    return reply.code(statusCode).send({ error: 'from the error handler' })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
}

const mountHono: Mount = async (_t, handlers) => {
  const app = new Hono()
  for (const [path, handler] of Object.entries(handlers)) {
    app.post(path, (context) => handler(context.req.raw))
  }
  app.onError((_error, context) => context.body(null, 599 as 500))
  return async (path, init) => app.request(`http://127.0.0.1${path}`, init)
}

const mountNode: Mount = (t, handlers) =>
  listen(
    t,
    createServer((request, response) => {
      const handler =
        handlers[request.url ?? ''] ?? (async () => new Response(null, { status: 404 }))
      void toExpress(handler)(request, response, () => response.writeHead(599).end())
    }),
  )

const SERVERS: readonly (readonly [string, Mount])[] = [
  ['Express', mountExpress(() => {})],
  ['Express after express.json()', mountExpress((app) => void app.use(express.json()))],
  [
    'Express after express.text()',
    mountExpress((app) => void app.use(express.text({ type: '*/*' }))),
  ],
  ['Fastify', mountFastify],
  ['Hono', mountHono],
  ['node:http', mountNode],
]

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

for (const [name, mount] of SERVERS) {
  test(`${name}: exchanges a code once, by spec §4.3 [R08]`, async (t) => {
    const issuer = await startFakeIssuer()
    t.after(() => issuer.stop())
    const { handleTokenRequest } = createAppKit(issuer)
    const send = await mount(t, { '/token': handleTokenRequest })
    const code = issuer.mintCode()
    const good = await send('/token', post({ code }))
    assert.equal(good.status, 200)
    assert.equal(good.headers.get('cache-control'), 'no-store')
    const tokens = (await good.json()) as Record<string, unknown>
    assert.match(String(tokens.access_token), /^at_/)
    assert.equal(tokens.token_type, 'Bearer')
    const again = await send('/token', post({ code }))
    assert.deepEqual([again.status, await again.json()], [400, { error: 'invalid_grant' }])
    const none = await send('/token', post({}))
    assert.deepEqual([none.status, await none.json()], [400, { error: 'missing_code' }])
    const foreign = await send('/token', post({ code: 'c' }, { origin: 'https://evil.example' }))
    assert.equal(foreign.status, 403)
    await issuer.suspend()
    const down = await send('/token', post({ code: 'c' }))
    assert.deepEqual([down.status, await down.json()], [500, { error: 'internal_server_error' }])
  })

  test(`${name}: passes on requests and responses with cookies`, async (t) => {
    const echo: Handler = async (request) => {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers({ 'x-seen': `${request.method} ${pathname}${search}` })
      headers.append('set-cookie', 'a=1; Path=/')
      headers.append('set-cookie', 'b=2; Path=/')
      const text = await request.text()
      const claimed = Number(request.headers.get('content-length') ?? Buffer.byteLength(text))
      assert.equal(claimed, Buffer.byteLength(text))
      const said = { cookie: request.headers.get('cookie'), body: JSON.parse(text) }
      return Response.json(said, { status: 201, headers })
    }
    const send = await mount(t, { '/echo': echo })
    // Spaces that a parser drops: the length that was claimed must not outlive them.
    const sent = post({ text: 'ä"\\' }, { cookie: 'x=1; y=2' })
    const response = await send('/echo', { ...sent, body: `  ${sent.body}  ` })
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('x-seen'), 'POST /echo')
    assert.deepEqual(response.headers.getSetCookie(), ['a=1; Path=/', 'b=2; Path=/'])
    assert.deepEqual(await response.json(), { cookie: 'x=1; y=2', body: { text: 'ä"\\' } })
  })

  test(`${name}: passes a thrown error to the error handler`, async (t) => {
    const send = await mount(t, {
      '/broken': async () => {
        throw new Error('broken')
      },
      '/empty': async () => new Response(null, { status: 204 }),
    })
    assert.equal((await send('/broken', post({}))).status, 599)
    assert.equal((await send('/empty', post({}))).status, 204)
  })
}

test('Express: keeps the host for a path that begins with two slashes', async (t) => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const handler: Handler = async ({ url }) => {
      seen.push(new URL(url).host)
      return new Response('ok')
    }
    void toExpress(handler)(request, response, () => response.writeHead(599).end())
  })
  const send = await listen(t, server)
  assert.equal((await send('//evil.example/token', {})).status, 200)
  assert.match(seen[0] ?? '', /^127\.0\.0\.1:/)
})

/** `fetch` sends no TRACE. */
async function trace(server: Server): Promise<{ status: number; allow: string | undefined }> {
  const { port } = server.address() as AddressInfo
  const asking = request({ port, host: '127.0.0.1', method: 'TRACE', path: '/any' }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode ?? 0, allow: answer.headers.allow }
}

test('Express: says nothing when the browser leaves before the end of a page', async (t) => {
  const errors: unknown[] = []
  const page = new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) })
  const route = toExpress(async () => new Response(page))
  const left = Promise.withResolvers<void>()
  const send = await listen(
    t,
    createServer((incoming, outgoing) => {
      route(incoming, outgoing, (error) => errors.push(error)).then(left.resolve)
    }),
  )
  const leaving = new AbortController()
  await send('/', { signal: leaving.signal })
  leaving.abort()
  await left.promise
  assert.deepEqual(errors, [])
})

test('answers 405 to a method that Request does not allow', async (t) => {
  const handler: Handler = async () => assert.fail('the handler was called')
  const plain = createServer((incoming, response) => {
    void toExpress(handler)(incoming, response, () => response.writeHead(599).end())
  })
  await listen(t, plain)
  const app = fastify()
  app.all('/*', toFastify(handler))
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  for (const server of [plain, app.server]) {
    const { status, allow } = await trace(server)
    assert.equal(status, 405)
    assert.match(allow ?? '', /GET/)
  }
})

test('Fastify: passes on a JSON string as JSON', async (t) => {
  const echo: Handler = async (incoming) => Response.json({ text: await incoming.text() })
  const send = await mountFastify(t, { '/echo': echo })
  const sent = ['"abc"', '"7"', 'null', '7', '{"a":1}']
  for (const body of sent) {
    const response = await send('/echo', { ...post({}), body })
    assert.deepEqual(await response.json(), { text: body })
  }
  const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'abc' }
  assert.deepEqual(await (await send('/echo', plain)).json(), { text: 'abc' })
})

test('Hono: mounts the token endpoint with the line of the README', async (t) => {
  const issuer = await startFakeIssuer()
  t.after(() => issuer.stop())
  const kit = createAppKit(issuer)
  const app = new Hono()
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [line = ''] = /app\.post\('\/token', \(\{ req \}\).*?\.raw\)\)/.exec(readme) ?? []
  assert.equal(line, "app.post('/token', ({ req }) => kit.handleTokenRequest(req.raw))")
  new Function('app', 'kit', line)(app, kit)
  const response = await app.request('http://localhost/token', post({ code: issuer.mintCode() }))
  assert.equal(response.status, 200)
})

test('Express: keeps the host for a request that names a whole address', async (t) => {
  const seen: string[] = []
  const server = createServer((incoming, response) => {
    const handler: Handler = async ({ url }) => {
      seen.push(new URL(url).host)
      return new Response('ok')
    }
    void toExpress(handler)(incoming, response, () => response.writeHead(599).end())
  })
  await listen(t, server)
  const { port } = server.address() as AddressInfo
  const asking = request({ port, host: '127.0.0.1', path: 'http://evil.example/token' }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 200)
  assert.match(seen[0] ?? '', /^127\.0\.0\.1:/)
})
