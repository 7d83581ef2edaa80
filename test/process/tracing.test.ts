// The spans of a real node at a collector, the trace of a caller that is joined, and the request log: they
// agree on the ids, name the app and the outcome, and hold no secret. Contract §10, W3C Trace Context.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ADMIN, findFreePort, startService } from './service-process.ts'
import { authorize, exchange, launch, type Practice, setUpPractice } from './story-verbs.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER_SPAN = '00f067aa0ba902b7'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

/** A collector that keeps what it got. */
async function startCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/v1/traces') bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  const resources = () => bodies.flatMap((body) => JSON.parse(body).resourceSpans)
  return {
    endpoint: `http://127.0.0.1:${port}`,
    text: () => bodies.join('\n'),
    resources,
    spans: (): Span[] => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(spansOf)),
    close: () => server.close().closeAllConnections(),
  }
}

const spansOf = ({ spans }: { readonly spans: readonly Span[] }) => spans

const attributeOf = ({ attributes }: Span, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value
  return value && Object.values(value)[0]
}

function exchangeIn(trace: string, { baseUrl, app }: Practice, secret: string, code: string) {
  return fetch(`${baseUrl}/app-auth/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${btoa(`${app.clientId}:${secret}`)}`,
      traceparent: trace,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
    }),
  })
}

test('sends a span for each request, in the trace of its caller, without a secret', async (t) => {
  const collector = await startCollector()
  t.after(() => collector.close())
  const service = await startService({
    isStartedBefore: true,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      CHARTSIDE_REQUEST_LOG: 'on',
    },
  })
  t.after(() => service.discard())
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const opened = await launch(practice)
  const { code = '' } = await authorize(practice, opened.launchId)
  const good = await exchange(practice, code)
  assert.equal(good.status, 200)
  const refused = await exchangeIn(`00-${TRACE}-${CALLER_SPAN}-01`, practice, 'cs_wrong', code)
  assert.equal(refused.status, 401)
  const { trace_id: traceId } = (await refused.json()) as { readonly trace_id: string }
  assert.equal(traceId, TRACE, 'people see the trace that a collector knows')
  const [, , spanId] = (refused.headers.get('traceresponse') ?? '').split('-')
  // What waits is sent before the process ends.
  assert.equal((await service.end('SIGTERM')).code, 0)

  const spans = collector.spans()
  const span = spans.find((one) => one.spanId === spanId)
  assert.ok(span, 'the answer names its span')
  assert.deepEqual([span.traceId, span.parentSpanId], [TRACE, CALLER_SPAN])
  assert.equal(span.name, 'POST /app-auth/token')
  assert.equal(attributeOf(span, 'http.route'), '/app-auth/token')
  assert.equal(Number(attributeOf(span, 'http.response.status_code')), 401)
  assert.equal(attributeOf(span, 'error.type'), 'invalid_client')
  assert.equal(attributeOf(span, 'chartside.client_id'), practice.app.clientId)
  const tokens = spans.filter(({ name }) => name === 'POST /app-auth/token')
  assert.equal(attributeOf(span, 'url.path'), '/app-auth/token')
  assert.equal(attributeOf(span, 'url.scheme'), 'http')
  assert.equal(attributeOf(span, 'server.address'), 'localhost')
  const written = spans.filter(({ name }) => name.includes('UPDATE launches'))
  const isOf = (parent: Span | undefined) => (child: Span) => child.parentSpanId === parent?.spanId
  assert.equal(tokens.length, 2)
  const first = tokens.find((one) => one.spanId !== spanId)
  assert.equal(attributeOf(first as Span, 'error.type'), undefined)
  const write = written.find(isOf(first))
  assert.ok(write, 'the write of the exchange is in its span')
  assert.equal(attributeOf(write, 'db.system.name'), 'sqlite')
  assert.match(String(attributeOf(write, 'db.query.summary')), /UPDATE launches/)
  const resource = Object.fromEntries(
    collector
      .resources()[0]
      .resource.attributes.map((one: Span['attributes'][number]) => [
        one.key,
        Object.values(one.value)[0],
      ]),
  )
  assert.equal(resource['service.name'], 'chartside')
  assert.match(resource['service.instance.id'], /:\d+$/)
  const secrets = [ADMIN.password, practice.app.secret, opened.launchId, code, 'cs_wrong']
  for (const secret of secrets) assert.ok(!collector.text().includes(secret), secret)
  assert.ok(!collector.text().includes('@'), 'no address of a person')

  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line))
  const line = lines.find((one) => one.traceId === TRACE)
  assert.equal(line.spanId, spanId)
  assert.equal(line.client, practice.app.clientId)
  assert.equal(line.outcome, 'invalid_client')
  assert.equal(line.node, resource['service.instance.id'])
  assert.match(line.version, /^\d+\.\d+\.\d+$/)
  assert.equal(lines.filter(({ outcome }) => outcome !== 'ok').length, 1)
})

test('a collector that is gone costs no request, and one line of the log says it', async (t) => {
  const port = await findFreePort()
  const service = await startService({
    isStartedBefore: true,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  })
  t.after(() => service.discard())
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const { code = '' } = await authorize(practice, (await launch(practice)).launchId)
  assert.equal((await exchange(practice, code)).status, 200)
  const startedAt = performance.now()
  assert.equal((await service.end('SIGTERM')).code, 0)
  assert.ok(performance.now() - startedAt < 5000, 'the end does not wait for the collector')
  assert.equal(service.output().split('traces are not delivered').length - 1, 1)
})
