// What must hold for every answer to every case, however broken: no internal error, our own shape with
// a code and a trace id, the declared payload, nothing of the foreign tenant, and a log that holds
// neither a secret nor what the caller sent.
import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import { checkAnswer } from '../../packages/server/test/answer-check.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { MARK } from './hostile-values.ts'
import type { Answer } from './send.ts'
import { CANARY, type World } from './world.ts'

const TRACE = /(?:"trace_?[iI]d"\s*:\s*"|trace )[\w-]{8,}/
const CODE =
  /"(?:code|error)"\s*:\s*"[a-z_]{3,40}"|(?:#(?:error|reason)-|\/docs\/errors\/)[a-z_]{3,40}/

export interface CaseResult {
  readonly answer: Answer | undefined
  /** What the service logged meanwhile. */
  readonly log: string
  readonly milliseconds: number
}

/** Password hashes are replaced, so nothing of a request should take long; this machine may be busy. */
const MAX_MS = 5_000

export function checkCase(world: World, request: FuzzRequest, result: CaseResult): void {
  const { answer, log, milliseconds } = result
  checkLog(world, log)
  assert.ok(milliseconds < MAX_MS, `took ${milliseconds.toFixed(0)} ms`)
  if (!answer) {
    const mayBeCut = request.wire !== 'none' && request.wire !== 'plain socket'
    assert.ok(mayBeCut, 'the connection ended without an answer')
    return
  }
  const { status, headers, body } = answer
  const shown = `${status} ${body.slice(0, 300)}`
  assert.ok(Number.isInteger(status) && status >= 200, shown)
  if (status >= 500) {
    assert.ok(
      status === 503 && body.includes('temporarily_unavailable'),
      `internal error: ${shown}`,
    )
    assert.ok(headers['retry-after'], `503 without Retry-After: ${shown}`)
  }
  if (status >= 400) checkError(request, answer)
  checkPrivacy(request, answer)
  checkHeaders(answer)
  // The request line may differ from the route's own on the wire.
  const isOfRoute = request.wire === 'none' || request.wire === 'plain socket'
  // Whether another method of this path is a route is the router's business.
  const url = request.wire === 'none' ? normalize(answer.url) : answer.url
  if (isOfRoute && isOfOneRoute(url) && status !== 405) {
    checkAnswer(request.method, url, asResponse(answer))
  }
}

/** Without dot segments, as an HTTP client sends it. */
const normalize = (url: string) => {
  const parsed = URL.parse(url, 'http://fuzz.example')
  return parsed ? `${parsed.pathname}${parsed.search}` : url
}

/** A path that cannot be decoded, or with an empty or overlong segment, belongs to no route. */
function isOfOneRoute(url: string): boolean {
  const [path = ''] = url.split('?')
  try {
    decodeURIComponent(path)
    return !/\/\/|\/$|[^/]{1000}/.test(path)
  } catch {
    return false
  }
}

function checkError({ method }: FuzzRequest, { status, headers, body }: Answer): void {
  // A form that is shown again, with what is wrong, is a page of its own.
  if (method === 'HEAD' || body.includes('<form')) return
  const shown = `${status} ${headers['content-type']} ${body.slice(0, 300)}`
  assert.match(body, TRACE, `an error without trace id: ${shown}`)
  assert.match(body, CODE, `an error without code: ${shown}`)
  assert.doesNotMatch(
    body,
    /\bat .*\.(ts|js|mjs):\d+|node_modules|SQLITE|postgres/i,
    `internals: ${shown}`,
  )
}

/** A platform administrator may read every account. */
const isByPlatform = ({ headers }: FuzzRequest) =>
  headers.some(([, value]) => value.includes('platformAdmin'))

function checkPrivacy(request: FuzzRequest, { headers, body }: Answer): void {
  const whole = `${JSON.stringify(headers)} ${body}`
  if (!isByPlatform(request)) {
    const at = whole.indexOf(CANARY)
    assert.ok(at < 0, `shows the foreign tenant: …${whole.slice(at - 100, at + 100)}`)
  }
  const isHtml = String(headers['content-type']).startsWith('text/html')
  if (isHtml)
    assert.ok(!body.includes(`<script>${MARK}`), `unescaped markup: ${body.slice(0, 300)}`)
  for (const name of ['access-control-allow-origin', 'set-cookie', 'server'] as const) {
    assert.ok(!String(headers[name] ?? '').includes(MARK), `${name}: ${headers[name]}`)
  }
  assert.ok(!String(headers['x-request-id'] ?? '').includes(MARK))
}

function checkHeaders({ headers, status }: Answer): void {
  for (const [name, value] of Object.entries(headers)) {
    assert.ok(!/[\r\n\0]/.test(String(value)), `control characters in ${name}`)
  }
  if (status < 400 || headers['content-type'] === undefined) return
  assert.equal(headers['x-content-type-options'], 'nosniff', `${status} without nosniff`)
}

function checkLog({ secrets }: World, log: string): void {
  const marked = log.indexOf(MARK)
  assert.ok(
    marked < 0,
    `the log repeats input: …${log.slice(Math.max(0, marked - 300), marked + 60)}`,
  )
  const secret = secrets.find((value) => log.includes(value))
  assert.ok(secret === undefined, `the log holds a secret: ${secret?.slice(0, 12)}…`)
  assert.ok(!log.includes('"request failed"'), `an internal error: ${log.slice(0, 600)}`)
}

function asResponse({ status, headers, body }: Answer): LightMyRequestResponse {
  const response = { statusCode: status, headers, body, json: () => JSON.parse(body) }
  return response as unknown as LightMyRequestResponse
}
