// Charts beside an app, as the service knows them: patterns of a collection, what clients get of them, the
// end of a launch for another chart, one line of the timeline for each change. Contract §11.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStream } from './event-stream.ts'
import { type Story, startStory } from './story.ts'

const PATTERN = 'https://ehr.example/patients/:chart{/*}?'

let story: Story
before(async () => {
  story = await startStory()
  await story.service.server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => story.close())

type Method = Parameters<Story['api']>[0]
const call = async (method: Method, url: string, body?: object) => {
  const answer = await story.api(method, url, body)
  return { status: answer.statusCode, body: answer.body ? answer.json() : {} }
}

const draftOf = (ehr: object, app: object = {}) => ({
  ehrs: [{ ehrType: 'meadow', name: 'Meadow', matches: ['https://ehr.example/*'], ...ehr }],
  apps: [{ appId: story.app.id, autoLaunch: false, ...app }],
})
const createCollection = (draft: object) =>
  call('POST', '/api/collections', { accountId: story.accountId, name: 'Charts', draft })

/** Published, and in use by an account of its own. */
async function accountWith(draft: object): Promise<string> {
  const { body: collection } = await createCollection(draft)
  const version = await call('POST', `/api/collections/${collection.id}/versions`, {})
  assert.equal(version.status, 201)
  assert.deepEqual(version.body.content, draft)
  const choice = { id: collection.id, version: 'latest' }
  const account = await call('POST', '/api/accounts', { name: 'Charts', collection: choice })
  return account.body.id
}

test('gives clients the charts, the mode and the policy of each app', async () => {
  const ehr = { charts: [PATTERN], chartMode: 'observe' }
  const accountId = await accountWith(draftOf(ehr, { onChartChange: 'event' }))
  const { body: known } = await call('GET', `/api/accounts/${accountId}/ehrs`)
  assert.deepEqual([known.ehrs[0].charts, known.ehrs[0].chartMode], [[PATTERN], 'observe'])
  const opening = { accountId, ehrType: 'meadow', deviceId: 'd' }
  const { body: session } = await call('POST', '/api/sessions', opening)
  assert.deepEqual([session.ehr.charts, session.ehr.chartMode], [[PATTERN], 'observe'])
  assert.equal(session.apps[0].onChartChange, 'event')
})

test('refuses a pattern that finds no chart, at its field and with what to do', async () => {
  const charts = [PATTERN, 'https://ehr.example/patients/*', 'https://ehr.example/(\\d+)/:chart']
  const { status, body } = await createCollection(draftOf({ charts }))
  assert.equal(status, 400)
  assert.deepEqual(
    body.errors.map(({ field }: { field: string }) => field),
    ['/draft/ehrs/0/charts/1', '/draft/ehrs/0/charts/2'],
  )
  assert.match(body.errors[0].message, /:chart/)
  assert.match(body.errors[1].message, /regular expression/)
  for (const draft of [
    draftOf({ chartMode: 'off' }),
    draftOf({}, { onChartChange: 'reload' }),
    draftOf({ charts: PATTERN }),
  ]) {
    assert.equal((await createCollection(draft)).status, 400)
  }
})

const steps = async (id: string) => (await call('GET', `/api/launches/${id}`)).body.steps
const report = (id: string, chart: object, more: object = {}) =>
  call('POST', `/api/launches/${id}/steps`, {
    ...{ step: 'chart_changed', outcome: 'ok', chart },
    ...more,
  })

test('keeps one line for each change of the chart: the last report of it', async () => {
  const { id } = await story.launch()
  assert.equal((await report(id, { change: 1, handled: 'cover' })).status, 204)
  assert.equal((await report(id, { change: 2, handled: 'event', shownMs: 618 })).status, 204)
  assert.equal((await report(id, { change: 1, handled: 'cover', shownMs: 0 })).status, 204)
  const changes = (await steps(id)).filter(({ step }: { step: string }) => step === 'chart_changed')
  assert.deepEqual(
    changes.map(({ at: _, ...line }: { at: string }) => line),
    [
      { step: 'chart_changed', outcome: 'ok', handled: 'cover', shownMs: 0 },
      { step: 'chart_changed', outcome: 'ok', handled: 'event', shownMs: 618 },
    ],
  )
})

test('stores nothing of a report with an address, a reference or no handling [V40]', async () => {
  const { id } = await story.launch()
  const chart = { change: 1, handled: 'cover' }
  for (const [body, more] of [
    [{ ...chart, ref: 'r'.repeat(22) }, {}],
    [{ ...chart, url: 'https://ehr.example/patients/7' }, {}],
    [{ change: 1 }, {}],
    [{ change: 0, handled: 'cover' }, {}],
    [{ ...chart, shownMs: 43_200_001 }, {}],
    [chart, { outcome: 'failed' }],
    [chart, { step: 'context' }],
    [undefined, {}],
  ] as const) {
    assert.equal((await report(id, body as object, more)).status, 400, JSON.stringify(body))
  }
  assert.doesNotMatch(JSON.stringify(await steps(id)), /chart_changed/)
})

test('keeps a bounded number of changes of a host in a loop', async () => {
  const { id } = await story.launch()
  const reports = Array.from({ length: 200 }, (_, n) =>
    report(id, { change: n + 1, handled: 'returned', shownMs: 1 }),
  )
  await Promise.all(reports)
  const kept = (await steps(id)).filter(({ step }: { step: string }) => step === 'chart_changed')
  assert.ok(kept.length > 100 && kept.length < 160, String(kept.length))
})

test('ends a launch for another chart with its own reason, also on the stream', async () => {
  const sessionId = await story.openSession()
  const { id } = await story.launch({ sessionId })
  const stream = await openStream(story.service, sessionId, story.adminToken)
  const url = `/api/launches/${id}?reason=chart_changed`
  assert.equal((await call('DELETE', `/api/launches/${id}?reason=signed_out`)).status, 400)
  assert.equal((await call('DELETE', url)).status, 204)
  const { found } = await stream.next(
    ({ event, data }) => event === 'launch' && data.id === id && data.state === 'ended',
  )
  assert.equal(found.data.ended?.reason, 'chart_changed')
  stream.close()
  const { body } = await call('GET', `/api/launches/${id}`)
  assert.deepEqual([body.state, body.ended.reason], ['ended', 'chart_changed'])
})
