// The least that a launch can cost on a machine: node:http without a framework, one table of node:sqlite
// that syncs, and one RS256 signature. It has the requests of a flow, single use and PKCE, and nothing else
// of a product: no schemas, sessions, audit, limits, log or error texts. A server that does more costs more,
// so it shows what part of a missed goal belongs to the machine.
import { createPublicKey, hash, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { announce, clients, KEY_ID, listen, listPairs, makeKey, REDIRECT_URI } from './announce.ts'

const [databasePath = ''] = process.argv.slice(2)
const CODE_LIFETIME_MS = 60_000
const MAX_ITERATIONS = 4

const { privateKey } = makeKey()
const secretHashes = new Map(clients.map(({ id, secret }) => [id, digest(secret)]))
interface Person {
  readonly name: string
  readonly apps: readonly string[]
}
/** The signed-in people by the session token. */
const people = new Map<string, Person>()

const database = new DatabaseSync(databasePath)
database.exec('PRAGMA journal_mode = WAL')
database.exec('PRAGMA synchronous = FULL')
database.exec(`CREATE TABLE launches (
  id INTEGER PRIMARY KEY, person TEXT NOT NULL, client TEXT NOT NULL, launch BLOB NOT NULL,
  code BLOB, code_expires_at INTEGER, redirect_uri TEXT, challenge TEXT, token BLOB) STRICT`)
const INSERT = database.prepare(
  'INSERT INTO launches (id, person, client, launch) VALUES (?, ?, ?, ?)',
)
const AUTHORIZE = database.prepare(
  `UPDATE launches SET code = ?, code_expires_at = ?, redirect_uri = ?, challenge = ?
   WHERE id = ? AND launch = ? AND client = ? AND code IS NULL RETURNING id`,
)
const REDEEM = database.prepare(
  `UPDATE launches SET token = ?
   WHERE id = ? AND code = ? AND client = ? AND redirect_uri = ? AND challenge = ?
   AND code_expires_at > ? AND token IS NULL RETURNING person`,
)

const FIND = database.prepare('SELECT person, client FROM launches WHERE id = ? AND token = ?')

interface QueuedWrite {
  readonly statement: typeof INSERT
  readonly args: readonly SQLInputValue[]
  readonly done: (row: Record<string, unknown> | undefined) => void
}

let queue: QueuedWrite[] = []

/** Resolves after the sync; writes of the same moment share it. */
function write(
  statement: typeof INSERT,
  ...args: readonly SQLInputValue[]
): Promise<Record<string, unknown> | undefined> {
  return new Promise((done) => {
    if (queue.length === 0) setImmediate(gather, 0, MAX_ITERATIONS)
    queue.push({ statement, args, done })
  })
}

function gather(countBefore: number, iterationsLeft: number): void {
  if (queue.length > countBefore && iterationsLeft > 0) {
    setImmediate(gather, queue.length, iterationsLeft - 1)
    return
  }
  const group = queue
  queue = []
  database.exec('BEGIN IMMEDIATE')
  const rows = group.map(({ statement, args }) => statement.get(...args))
  database.exec('COMMIT')
  for (const [index, { done }] of group.entries()) done(rows[index])
}

function digest(value: string): Buffer {
  return hash('sha256', value, 'buffer')
}

/** A value that names its row, so that no index is needed to find it. */
function makeValue(kind: string, id: number) {
  const value = `${kind}_${id.toString(36)}_${randomBytes(24).toString('base64url')}`
  return { value, hash: digest(value) }
}
const rowOf = (value: string) => Number.parseInt(value.split('_')[1] ?? '', 36)

let lastId = 0

/** Opens the app that is named or, for an arrival, every app of the person. */
async function launch(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const person = people.get(request.headers.authorization?.slice(7) ?? '')
  const { appId } = JSON.parse(await readBody(request))
  if (!person || (appId !== undefined && !person.apps.includes(appId))) return refuse(response)
  const open = async (app: string) => {
    const id = ++lastId
    const { value, hash } = makeValue('launch', id)
    await write(INSERT, id, person.name, app, hash)
    return { launchId: value, app: { id: app } }
  }
  if (appId !== undefined) return reply(response, 201, await open(appId))
  reply(response, 201, { launches: await Promise.all(person.apps.map(open)) })
}

async function authorize(url: URL, response: ServerResponse): Promise<void> {
  const ask = (name: string) => url.searchParams.get(name) ?? ''
  const [launchId, client, redirectUri] = [ask('launch'), ask('client_id'), ask('redirect_uri')]
  if (redirectUri !== REDIRECT_URI || ask('code_challenge_method') !== 'S256') {
    return refuse(response)
  }
  const id = rowOf(launchId)
  const { value, hash } = makeValue('code', id)
  const expiresAt = Date.now() + CODE_LIFETIME_MS
  const challenge = ask('code_challenge')
  const row = await write(
    AUTHORIZE,
    ...[hash, expiresAt, redirectUri, challenge, id, digest(launchId), client],
  )
  if (!row) return refuse(response)
  const location = `${redirectUri}?code=${value}&state=${encodeURIComponent(ask('state'))}`
  response.writeHead(302, { location, 'content-length': 0, 'cache-control': 'no-store' }).end()
}

async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(await readBody(request))
  const known = secretHashes.get(body.client_id)
  if (!known || !timingSafeEqual(known, digest(body.client_secret))) return refuse(response)
  const id = rowOf(body.code)
  const { value, hash: tokenHash } = makeValue('token', id)
  const challenge = hash('sha256', body.code_verifier, 'base64url')
  const { client_id: client, redirect_uri: redirectUri } = body
  const now = Date.now()
  const row = await write(
    REDEEM,
    ...[tokenHash, id, digest(body.code), client, redirectUri, challenge, now],
  )
  if (!row) return refuse(response)
  const iat = Math.floor(now / 1000)
  const claims = { iss: 'http://localhost', sub: row.person, aud: client, iat, exp: iat + 3600 }
  const answer = { access_token: value, token_type: 'Bearer', expires_in: 300 }
  reply(response, 200, { ...answer, id_token: await signJws(claims) })
}

/** Answers for the own token, as an app asks. RFC 7662. */
async function introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await readBody(request))
  const ask = (name: string) => form.get(name) ?? ''
  const known = secretHashes.get(ask('client_id'))
  if (!known || !timingSafeEqual(known, digest(ask('client_secret')))) return refuse(response)
  const row = FIND.get(rowOf(ask('token')), digest(ask('token')))
  if (!row) return reply(response, 200, { active: false })
  reply(response, 200, { active: true, sub: row.person, client_id: row.client })
}

const HEADER = encode({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signJws(claims: object): Promise<string> {
  const input = `${HEADER}.${encode(claims)}`
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(input), privateKey, (error, signature) =>
      error ? reject(error) : resolve(`${input}.${signature.toString('base64url')}`),
    )
  })
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => resolve(text))
    request.on('error', reject)
  })
}

function reply(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value)
  const type = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text) }).end(text)
}

const refuse = (response: ServerResponse) => reply(response, 400, { error: 'invalid_request' })

const keys = {
  keys: [
    {
      ...createPublicKey(privateKey).export({ format: 'jwk' }),
      ...{ kid: KEY_ID, alg: 'RS256', use: 'sig' },
    },
  ],
}

const { port } = await listen((request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost')
  if (url.pathname === '/app-auth/authorize') void authorize(url, response)
  else if (url.pathname === '/app-auth/token') void token(request, response)
  else if (url.pathname === '/app-auth/introspect') void introspect(request, response)
  else if (url.pathname === '/app-auth/.well-known/jwks.json') reply(response, 200, keys)
  else void launch(request, response)
})

announce({
  kind: 'service',
  port,
  people: [...Map.groupBy(listPairs(), ({ person }) => person)].map(([person, pairs]) => {
    const sessionToken = randomBytes(32).toString('base64url')
    people.set(sessionToken, { name: person, apps: pairs.map(({ client }) => client.id) })
    return {
      ...{ sessionToken, sessionId: `session-of-${person}` },
      ...{ accountId: 'practice', deviceId: 'device' },
      apps: pairs.map(({ client: { id, secret } }) => {
        return { id, clientId: id, secret, redirectUri: REDIRECT_URI }
      }),
    }
  }),
})
