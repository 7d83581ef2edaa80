// Two nodes of the real service on one PostgreSQL: an app that is disabled at one of them ends for the host
// that reads its event stream at the other, within one second. Contract §3, security V12.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { ADMIN, type ServiceProcess, startService } from './service-process.ts'
import {
  api,
  authorize,
  bearer,
  exchange,
  isActive,
  launch,
  type Practice,
  setUpPractice,
} from './story-verbs.ts'

const WITHIN_MS = 1000
const ROUNDS = 5

let postgres: TestPostgres
let nodes: ServiceProcess[] = []
before(async () => {
  postgres = await startPostgres()
  const environment = {
    CHARTSIDE_DATABASE_URL: await postgres.freshDividedDatabase(),
    CHARTSIDE_MASTER_KEY: randomBytes(32).toString('base64'),
  }
  // One after the other: the first creates the tables and the administrator.
  nodes = [await startService({ environment })]
  nodes.push(await startService({ environment }))
})
after(async () => {
  await Promise.all(nodes.map((node) => node.discard()))
  await postgres?.stop()
})

/** Reads the event stream of the session at a node, until `close`. */
async function openStream({ sessionId, sessionToken }: Practice, baseUrl: string) {
  const abort = new AbortController()
  const answer = await fetch(`${baseUrl}/api/sessions/${sessionId}/events`, {
    headers: bearer(sessionToken),
    signal: abort.signal,
  })
  assert.equal(answer.status, 200)
  let text = ''
  const waiting = new Set<() => void>()
  void (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (const look of waiting) look()
    }
  })().catch(() => {})
  return {
    /** When the stream has this text. */
    waitFor: (part: RegExp) =>
      new Promise<number>((resolve, reject) => {
        const timeout = setTimeout(() => reject(new Error(`not in the stream:\n${text}`)), 10_000)
        const look = () => {
          if (!part.test(text)) return
          clearTimeout(timeout)
          waiting.delete(look)
          resolve(performance.now())
        }
        waiting.add(look)
        look()
      }),
    close: () => abort.abort(),
  }
}

test('shows at node B within a second what is disabled at node A [V12]', async (t) => {
  const [a, b] = nodes
  assert.ok(a && b)
  const practice = await setUpPractice(a.baseUrl, ADMIN)
  const there = { ...practice, baseUrl: b.baseUrl }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const stream = await openStream(practice, b.baseUrl)
    t.after(() => stream.close())
    const { id, launchId } = await launch(practice)
    const { code = '' } = await authorize(practice, launchId)
    const exchanged = await exchange(practice, code)
    assert.equal(exchanged.status, 200, `round ${round}: ${exchanged.text}`)
    const token = String(exchanged.body.access_token)
    await stream.waitFor(new RegExp(`"id":"${id}".*"state":"exchanged"`))
    assert.equal(await isActive(there, token), true)

    const started = performance.now()
    const path = `/api/apps/${practice.app.id}`
    const shown = stream.waitFor(new RegExp(`"id":"${id}".*"state":"ended".*"app_disabled"`))
    const answer = await api(practice, 'PATCH', path, { enabled: false })
    assert.equal(answer.status, 200, answer.text)
    times.push((await shown) - started)
    assert.equal(await isActive(there, token), false)

    assert.equal((await api(practice, 'PATCH', path, { enabled: true })).status, 200)
    assert.equal(await isActive(there, token), false, 'enabling revives nothing')
    stream.close()
  }
  const shown = times.map((ms) => `${Math.round(ms)} ms`).join(', ')
  console.log(`disabled at node A, shown at node B after ${shown}`)
  assert.ok(Math.max(...times) < WITHIN_MS, shown)
})
