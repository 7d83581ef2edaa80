// An app on Express, Fastify and Hono, each in its own idiom: what the kit answers, what it passes on, who
// the user is in the app's routes, and what becomes of errors. Compiles against the real types. Spec §5.6.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  type CreateApp,
  type ErrorBody,
  json,
  launchApp,
  type TestSettings,
} from '@chartside/test-kit/app'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import * as onExpress from '../src/adapters/express.ts'
import * as onFastify from '../src/adapters/fastify.ts'
import * as onHono from '../src/adapters/hono.ts'
import { listen } from '../src/node/index.ts'
import {
  type ChartsideOptions,
  type LaunchIdentity,
  Problem,
  readJson,
  requireText,
  routeExchange,
} from '../src/server/index.ts'

declare module 'fastify' {
  interface FastifyRequest {
    identity: LaunchIdentity
  }
}

type Options = ChartsideOptions<TestSettings>
type Start = (options: Options) => Promise<Awaited<ReturnType<CreateApp>>>

const locked = () =>
  new Problem(409, { error: 'note_locked', cause: 'It is signed.', fix: 'Add a new note.' })

const ADDRESS = { port: 0, host: '127.0.0.1' }

const startExpress =
  (...before: express.RequestHandler[]): Start =>
  async (options) => {
    const app = express()
    for (const parser of before) app.use(parser)
    app.use((_request, response, next) => {
      response.cookie('early', '1')
      next()
    })
    app.use(onExpress.chartside(options))
    app.get('/', (_request, response) => void response.send('own'))
    app.get('/own', (_request, response) => {
      response.cookie('own', '1').set('cache-control', 'private').send('own')
    })
    app.get('/api/notes/:id', onExpress.requireIdentity, (request, response) => {
      const practice: string = response.locals.identity.account.name
      response.json({ id: request.params.id, practice })
    })
    app.post('/api/notes', onExpress.requireIdentity, express.json(), (request, response) => {
      response.status(201).json({ text: request.body.text, by: response.locals.identity.name })
    })
    app.get('/throws', () => {
      throw new Error('secret of the database')
    })
    app.get('/rejects', async () => {
      throw locked()
    })
    onExpress.explainErrors(app)
    return listen(createServer(app), ADDRESS)
  }

const startFastify: Start = async (options) => {
  const app = fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('set-cookie', 'early=1; Path=/')
  })
  await app.register(onFastify.chartside(options))
  onFastify.explainErrors(app)
  app.get('/', async () => 'own')
  app.get('/own', async (_request, reply) =>
    reply.header('set-cookie', 'own=1; Path=/').header('cache-control', 'private').send('own'),
  )
  app.get<{ Params: { id: string } }>(
    '/api/notes/:id',
    { preHandler: onFastify.requireIdentity },
    async ({ identity, params }) => ({ id: params.id, practice: identity.account.name }),
  )
  app.post<{ Body: { text: string } }>(
    '/api/notes',
    { preHandler: onFastify.requireIdentity },
    async ({ identity, body }, reply) =>
      reply.code(201).send({ text: body.text, by: identity.name }),
  )
  app.get('/throws', () => {
    throw new Error('secret of the database')
  })
  app.get('/rejects', async () => {
    throw locked()
  })
  await app.listen(ADDRESS)
  return app.server
}

const startHono: Start = async (options) => {
  const app = new Hono<onHono.ChartsideEnv>()
  app.use((context, next) => {
    context.header('set-cookie', 'early=1; Path=/', { append: true })
    return next()
  })
  app.use(onHono.chartside(options))
  onHono.explainErrors(app)
  app.get('/', (context) => context.text('own'))
  app.get('/own', (context) => {
    context.header('set-cookie', 'own=1; Path=/', { append: true })
    return context.body('own', 200, { 'cache-control': 'private' })
  })
  app.get('/api/notes/:id', onHono.requireIdentity, (context) =>
    context.json({ id: context.req.param('id'), practice: context.get('identity').account.name }),
  )
  app.post('/api/notes', onHono.requireIdentity, async (context) => {
    const text = requireText(await readJson(context.req.raw), 'text')
    return context.json({ text, by: context.get('identity').name }, 201)
  })
  app.get('/throws', () => {
    throw new Error('secret of the database')
  })
  app.get('/rejects', async () => {
    throw locked()
  })
  return (request) => app.fetch(request)
}

const FRAMEWORKS: readonly (readonly [name: string, start: Start])[] = [
  ['Express', startExpress()],
  ['Express after express.json()', startExpress(express.json())],
  ['Fastify', startFastify],
  ['Hono', startHono],
]

/** Nothing is sent. */
const appSettings: TestSettings = {
  ...{ clientId: 'cli_1', clientSecret: 'cs_1', frameAncestors: [], ...ADDRESS },
  ...{ baseUrl: 'http://127.0.0.1:1', tokenUrl: 'http://127.0.0.1:1/token' },
  publicUrl: 'http://app.example',
}

const OPTIONS = {
  name: 'Ward Notes',
  slug: 'ward-notes',
  launch: routeExchange,
  hasStartPage: false,
}

/** `send` has no session, `app` has one. */
async function launch(t: TestContext, start: Start) {
  const launched = await launchApp((settings, log) => start({ ...OPTIONS, settings, log }))
  t.after(launched.stop)
  return { ...launched, send: launched.app.send }
}

type Launched = Awaited<ReturnType<typeof launch>>

interface Started {
  readonly session: { readonly token: string }
}

/** What the page of a launch presents for its session. */
async function exchange({ send, issuer }: Pick<Launched, 'send' | 'issuer'>) {
  const { code, codeVerifier, nonceProof } = issuer.mintCallback(issuer.mintLaunch())
  const exchanged = await send('/api/exchange', { code, code_verifier: codeVerifier })
  const { id_token } = await json<{ id_token: string }>(exchanged)
  return { id_token, nonce_proof: nonceProof }
}

const namesOf = ({ headers }: Response) =>
  headers.getSetCookie().map((cookie) => cookie.split('=')[0])

const EVIL = { origin: 'https://evil.example' }

for (const [name, start] of FRAMEWORKS) {
  test(`${name}: a route has its parameter and the user of the session`, async (t) => {
    const { app, send } = await launch(t, start)
    const practice = 'Lakeside Family Practice'
    assert.deepEqual(await app.get('/api/notes/7'), { id: '7', practice })
    assert.deepEqual(await app.get('/api/notes/a%2Fb%20%C3%A4'), { id: 'a/b ä', practice })
    const posted = await app.post('/api/notes', { text: 'ä"' })
    assert.deepEqual(posted, { text: 'ä"', by: 'Dr. Amara Okafor' })
    const claims = { authorization: 'Bearer usr_0001', cookie: 'identity=usr_0001' }
    for (const headers of [{}, claims]) {
      const refused = await send('/api/notes', { text: '', identity: 'usr_0001' }, headers)
      const { error, cause, fix } = await json<ErrorBody>(refused)
      assert.deepEqual([refused.status, error], [401, 'session_ended'])
      assert.ok(cause && fix && refused.headers.has('content-security-policy'))
    }
  })

  test(`${name}: the routes of the app have the security headers and win`, async (t) => {
    const { send } = await launch(t, start)
    const own = await send('/own')
    assert.equal(await own.text(), 'own')
    assert.match(own.headers.get('content-security-policy') ?? '', /frame-ancestors http:\/\/ehr/)
    assert.equal(own.headers.get('cache-control'), 'private')
    assert.deepEqual(namesOf(own), ['early', 'own'])
    const root = await send('/')
    assert.equal(await root.text(), 'own')
    assert.equal(root.headers.get('cache-control'), 'no-store')
    assert.equal(root.headers.get('referrer-policy'), 'no-referrer')
  })

  test(`${name}: an error of a route becomes cause and fix, and shows no secret`, async (t) => {
    const { send } = await launch(t, start)
    const logged = t.mock.method(console, 'error', () => {})
    for (const [path, status, error] of [
      ['/throws', 500, 'internal_server_error'],
      ['/rejects', 409, 'note_locked'],
      ['/nothing', 404, 'not_found'],
      ['/launch/extra', 404, 'not_found'],
    ] as const) {
      const response = await send(path)
      const text = await response.text()
      const body = JSON.parse(text) as ErrorBody
      assert.deepEqual([response.status, body.error], [status, error])
      assert.ok(body.cause && body.fix && !text.includes('database'))
      assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors/)
    }
    assert.equal(logged.mock.callCount(), 1)
  })

  test(`${name}: a body that is no JSON is the fault of the page`, async (t) => {
    const { send, issuer } = await launch(t, start)
    const { session } = await json<Started>(
      await send('/api/session', await exchange({ send, issuer })),
    )
    const authorization = `Bearer ${session.token}`
    for (const path of ['/api/notes', '/api/exchange']) {
      const response = await send(path, '{', { authorization })
      const { error, cause, fix } = await json<ErrorBody>(response)
      assert.deepEqual([response.status, error], [400, 'invalid_request'], path)
      assert.ok(cause && fix)
    }
  })

  test(`${name}: a page of another origin starts, renews and ends no session`, async (t) => {
    const launched = await launch(t, start)
    const { send } = launched
    const proof = await exchange(launched)
    for (const [path, method] of [
      ['/api/session', 'POST'],
      ['/api/session/renew', 'POST'],
      ['/api/session', 'DELETE'],
    ] as const) {
      const refused = await send(path, proof, EVIL, method)
      assert.deepEqual([refused.status, namesOf(refused)], [403, ['early']])
    }
    const preflight = await send('/api/session', undefined, EVIL, 'OPTIONS')
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    const started = await send('/api/session', await exchange(launched))
    const [early, cookie = ''] = started.headers.getSetCookie()
    assert.match(early ?? '', /^early=1/)
    assert.match(cookie, /^__Host-ward-notes-.*Partitioned$/)
  })

  test(`${name}: answers HEAD as GET, without a body`, async (t) => {
    const { send } = await launch(t, start)
    const [kit, own] = [
      await send('/api/drafts', undefined, {}, 'HEAD'),
      await send('/own', undefined, {}, 'HEAD'),
    ]
    assert.deepEqual(
      [kit.status, await kit.text(), own.status, await own.text()],
      [401, '', 200, ''],
    )
  })

  test(`${name}: two apps in one process know their own users only`, async (t) => {
    const [first, second] = [await launch(t, start), await launch(t, start)]
    const started = await first.send('/api/session', await exchange(first))
    const { session } = await json<Started>(started)
    const authorization = `Bearer ${session.token}`
    assert.equal((await first.send('/api/notes/1', undefined, { authorization })).status, 200)
    assert.equal((await second.send('/api/notes/1', undefined, { authorization })).status, 401)
  })
}

test('Express and Fastify: refuse a mount below a path, with the way out', async (t) => {
  const settings = appSettings
  const app = express()
  app.use('/below', onExpress.chartside({ ...OPTIONS, settings, log: () => {} }))
  const onError: express.ErrorRequestHandler = ({ message }, _request, response, _next) =>
    void response.status(500).send(message)
  app.use(onError)
  const server = await listen(createServer(app), ADDRESS)
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/below/launch`)
  assert.match(await response.text(), /mounted at \/below\. Mount it at the root/)
  const plugin = onFastify.chartside({ ...OPTIONS, settings, log: () => {} })
  await assert.rejects(async () => fastify().register(plugin, { prefix: '/below' }), /at the root/)
})

test('names the missing mount to an author whose route requires an identity', async () => {
  const app = new Hono<onHono.ChartsideEnv>()
  app.get('/', onHono.requireIdentity, (context) => context.text('never'))
  app.onError(({ message }, context) => context.text(message, 500))
  assert.match(await (await app.request('/')).text(), /Mount chartside\(…\)/)
})
