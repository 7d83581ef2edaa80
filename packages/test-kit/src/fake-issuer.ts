// A service for an app's own tests: a real HTTP server on loopback that answers as Chartside does,
// with launches, codes and tokens on demand, key rotation and outages on command. In memory; shares
// no code with the real service. Spec §4; contract §2.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Codes } from './codes.ts'
import { type Claims, type IdTokenKind, signIdToken, signRs256 } from './id-token-kinds.ts'
import { type Answer, answer, type IssuerState, type RecordedRequest } from './issuer-answers.ts'
import type { Jwk } from './jwk.ts'
import { buildClaims, buildLaunch, type FakeLaunch, mintValue } from './launch.ts'
import { mintRsaKey, type RsaKey, readRsaKey } from './rsa-key.ts'
import { TEST_KEYS } from './test-keys.ts'

export type Intercept = (
  request: RecordedRequest,
  usual: (request: RecordedRequest) => Promise<Answer>,
) => Promise<Answer>

export interface FakeIssuerOptions {
  /** Default: a sample value. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** The public key of an app that authenticates by `private_key_jwt`: RSA for RS256, P-256 for ES256. */
  readonly clientKey?: Jwk
  /** The port of loopback. Default: a free one. */
  readonly port?: number
  /** The redirect URIs are compared as exact strings. Default `http://localhost:3000/callback`. */
  readonly redirectUris?: readonly string[]
  /** The text at the SDK address; the fake issuer has no SDK of its own. */
  readonly sdkScript?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Stands between the app and every answer: may change the request, the answer, or both. */
  readonly intercept?: Intercept
  /** True: a process that waits for nothing else ends, though this server still listens. */
  readonly isBackground?: boolean
}

export interface CodeOptions {
  readonly redirectUri?: string
  /** Default `launch openid profile`. */
  readonly scope?: string
  readonly nonce?: string
  readonly codeChallenge?: string
}

export type CallbackOptions = Pick<CodeOptions, 'redirectUri' | 'scope'>

export interface Callback {
  readonly code: string
  /** The text `<launch_id>:<random>`. */
  readonly state: string
  /** The redirect URI with code, state and iss. */
  readonly url: string
  /** The verifier whose SHA-256 was the code challenge (RFC 7636). */
  readonly codeVerifier: string
  /** Its SHA-256 in base64url is the nonce of the ID token. */
  readonly nonceProof: string
}

export interface IdTokenOptions {
  /** Default `valid`. */
  readonly kind?: IdTokenKind
  readonly launch?: FakeLaunch
  /** Replaces or adds claims; undefined removes one. */
  readonly claims?: Claims
  /** The clock tolerance of the verifier, for the kinds at its limits. Default 30. */
  readonly toleranceSeconds?: number
}

export interface Fault {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The body, as JSON, or a text as it is. */
  readonly body?: unknown
  readonly delayMs?: number
}

export interface FakeIssuer {
  readonly baseUrl: string
  readonly issuer: string
  readonly tokenUrl: string
  readonly jwksUri: string
  readonly clientId: string
  readonly clientSecret: string
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** A launch that authorize accepts; put its `launchId` into the Launch URL. */
  mintLaunch(changes?: Partial<FakeLaunch>): FakeLaunch
  /** A code as authorize issues it, without a browser. */
  mintCode(launch?: FakeLaunch, options?: CodeOptions): string
  /** A code as it arrives at the redirect URI, and what the page that began the launch has kept. */
  mintCallback(launch?: FakeLaunch, options?: CallbackOptions): Callback
  mintIdToken(options?: IdTokenOptions): string
  /** A new key signs afterwards. The old one stays published, unless it is withdrawn. */
  rotateKey(options?: { readonly withdraw?: boolean }): Promise<void>
  /** The next request of a path gets this answer; with `delayMs` alone, its usual answer later. */
  failNext(path: string, fault: Fault): void
  /** Refuses connections until `resume`, which listens at the same address. */
  suspend(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const MAX_BODY_BYTES = 65_536

/** The keys of an issuer, the signing one first, and one that it never published. */
class IssuerKeys {
  readonly foreign = readRsaKey('key-foreign', TEST_KEYS.foreign)
  #published: readonly RsaKey[] = [readRsaKey('key-1', TEST_KEYS.issuer)]
  #count = 1

  get published(): readonly RsaKey[] {
    return this.#published
  }

  get signer(): RsaKey {
    return this.#published[0] ?? this.foreign
  }

  async rotate({ withdraw = false } = {}): Promise<void> {
    this.#count += 1
    const key = await mintRsaKey(`key-${this.#count}`)
    this.#published = withdraw ? [key] : [key, ...this.#published]
  }
}

/** The answers that a test has ordered, each for the next request of a path. */
class OrderedFaults {
  readonly #faults: { path: string; fault: Fault }[] = []

  order(path: string, fault: Fault): void {
    this.#faults.push({ path, fault })
  }

  /** The usual answer where no fault has its place, after its delay in any case. */
  async answer(path: string, usual: () => Promise<Answer> | Answer): Promise<Answer> {
    const index = this.#faults.findIndex((one) => one.path === path)
    const fault = index < 0 ? undefined : this.#faults.splice(index, 1)[0]?.fault
    if (fault?.delayMs) await sleep(fault.delayMs)
    if (!fault || (fault.status === undefined && fault.body === undefined)) return usual()
    const { status = 200, headers = {}, body } = fault
    return { status, headers, body }
  }
}

/**
 * Starts a service on a port of this machine, by default a free one. It answers as Chartside does: discovery,
 * keys, authorize, token and userinfo. For tests only; `stop` it at the end. Spec §4.
 * @throws Error of Node.js when it can open no port
 * @example const issuer = await startFakeIssuer({ redirectUris: ['http://app.example/callback'] })
 */
export async function startFakeIssuer(options: FakeIssuerOptions = {}): Promise<FakeIssuer> {
  const now = options.now ?? (() => Date.now())
  const launches = new Map<string, FakeLaunch>()
  const requests: RecordedRequest[] = []
  const faults = new OrderedFaults()
  const keys = new IssuerKeys()
  const respond = (incoming: RecordedRequest): Promise<Answer> => {
    requests.push(incoming)
    const usual = async (request: RecordedRequest) => answer(state, request)
    const { intercept = (request) => usual(request) } = options
    return faults.answer(incoming.path, () => intercept(incoming, usual))
  }
  const server = createServer(async (request, response) => {
    const answered: Answer = await readIncoming(request)
      .then(respond)
      .catch((error: unknown) => ({ status: 500, body: String(error) }))
    send(response, answered)
  })
  await listen(server, options.port ?? 0)
  if (options.isBackground) server.unref()
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const state: IssuerState = {
    baseUrl,
    issuer: `${baseUrl}/app-auth`,
    clientId: options.clientId ?? `cli_${'0'.repeat(32)}`,
    clientSecret: options.clientSecret ?? mintValue('cs'),
    clientKey: options.clientKey,
    usedAssertions: new Set(),
    redirectUris: options.redirectUris ?? ['http://localhost:3000/callback'],
    sdkScript: options.sdkScript ?? '/* The fake issuer serves no SDK. */',
    launches,
    tokens: new Map(),
    codes: new Codes(now),
    publishedKeys: () => keys.published.map(({ jwk }) => jwk),
    sign: (claims) =>
      signRs256({ alg: 'RS256', typ: 'JWT', kid: keys.signer.kid }, claims, keys.signer),
    now,
  }
  const { issuer, clientId, clientSecret } = state

  const mintLaunch = (changes: Partial<FakeLaunch> = {}): FakeLaunch => {
    const launch = buildLaunch(changes)
    launches.set(launch.launchId, launch)
    return launch
  }
  const [firstRedirectUri = ''] = state.redirectUris
  const mintCode: FakeIssuer['mintCode'] = (launch = mintLaunch(), options = {}) => {
    const { redirectUri = firstRedirectUri, scope = 'launch openid profile' } = options
    const { nonce, codeChallenge } = options
    return state.codes.mint({ launch, clientId, nonce, codeChallenge, redirectUri, scope })
  }
  return {
    ...{ baseUrl, issuer, clientId, clientSecret, requests, mintLaunch, mintCode },
    tokenUrl: `${baseUrl}/app-auth/token`,
    jwksUri: `${baseUrl}/app-auth/.well-known/jwks.json`,
    mintCallback(launch = mintLaunch(), { redirectUri = firstRedirectUri, scope } = {}) {
      return buildCallback(redirectUri, issuer, launch, (challenges) =>
        mintCode(launch, { ...challenges, redirectUri, ...(scope ? { scope } : {}) }),
      )
    },
    mintIdToken({ kind = 'valid', launch = mintLaunch(), claims, toleranceSeconds = 30 } = {}) {
      const seconds = Math.floor(now() / 1000)
      const facts = { issuer, clientId, nonce: undefined, accessToken: undefined, now: seconds }
      const usual = buildClaims(launch, { ...facts, scope: 'profile', jti: mintValue('jti') })
      const all = { ...usual, ...claims }
      return signIdToken(kind, {
        ...{ claims: all, key: keys.signer, foreignKey: keys.foreign, toleranceSeconds },
        now: seconds,
      })
    },
    rotateKey: (options) => keys.rotate(options),
    failNext: (path, fault) => faults.order(path, fault),
    suspend: () => close(server),
    resume: () => listen(server, port),
    stop: () => close(server),
  }
}

function send(response: ServerResponse, { status, headers, body, isCut = false }: Answer): void {
  const isText = typeof body === 'string' || body === undefined
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  const text = isText ? body : JSON.stringify(body)
  if (isCut) response.write(String(text).slice(0, 40), () => response.destroy())
  else response.end(text)
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Builds what a page keeps, the challenges that it sends for them, and the redirect that follows. */
function buildCallback(
  redirectUri: string,
  issuer: string,
  { launchId }: FakeLaunch,
  mintCode: (challenges: { nonce: string; codeChallenge: string }) => string,
): Callback {
  const [codeVerifier, nonceProof] = [mintValue('verifier'), mintValue('proof')]
  const code = mintCode({ nonce: hash(nonceProof), codeChallenge: hash(codeVerifier) })
  const state = `${launchId}:${mintValue('state')}`
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ code, state, iss: issuer })) {
    url.searchParams.set(name, value)
  }
  return { code, state, url: url.href, codeVerifier, nonceProof }
}

async function readIncoming(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('The request is too large for a fake issuer.')
    chunks.push(chunk)
  }
  const url = new URL(`http://issuer.invalid${request.url ?? '/'}`)
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Loopback only: this server authenticates no caller.
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
