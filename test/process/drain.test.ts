// How a node leaves: not ready at once, serving on for the drain, its event streams moved with `retry`,
// its connections closed one after another, then in-flight requests completed. And SIGTERM to npm, which
// does not pass it on, ends the service all the same. Security F03.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ADMIN, environmentWithoutSettings, findFreePort, startService } from './service-process.ts'
import { api, bearer, exchange, freshCode, send, setUpPractice } from './story-verbs.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function readStream(answer: Response): Promise<string> {
  let text = ''
  for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
  return text
}

test('a node drains: not ready at once, serves on, moves its streams [F03]', async (t) => {
  const service = await startService({
    isStartedBefore: true,
    environment: { CHARTSIDE_DRAIN_SECONDS: '3' },
  })
  t.after(() => service.discard())
  const { baseUrl } = service
  const practice = await setUpPractice(baseUrl, ADMIN)
  const path = `/api/sessions/${practice.sessionId}/events`
  const headers = bearer(practice.sessionToken)
  const began = performance.now()
  const stream = await fetch(baseUrl + path, { headers })
  assert.ok(performance.now() - began < 1000, 'the first bytes leave at once')
  assert.equal(stream.headers.get('x-accel-buffering'), 'no')
  const text = readStream(stream)

  const signalledAt = performance.now()
  const ended = service.end('SIGTERM')
  let ready = await send(baseUrl, '/health/ready')
  while (ready.status === 200 && performance.now() - signalledAt < 1000) {
    ready = await send(baseUrl, '/health/ready')
  }
  assert.equal(ready.status, 503)
  assert.ok(ready.headers.get('retry-after'))
  assert.match(String(ready.body.cause), /stopping/)
  let served = 0
  while (performance.now() - signalledAt < 2000) {
    const issued = await exchange(practice, await freshCode(practice))
    assert.equal(issued.status, 200, issued.text)
    assert.equal(issued.headers.get('connection'), 'close')
    served += 1
    await sleep(50)
  }
  assert.ok(served > 3, `${served} launches`)
  assert.match(
    await text,
    /^: open\nretry: \d{3,4}\n\nevent: session\n[\s\S]+\n\nretry: \d{3,4}\n\n$/,
  )
  assert.doesNotMatch(await text, /event: ended/)
  // Its host may reach the same node again: it must not hold the node, nor stay on it.
  const again = await fetch(baseUrl + path, { headers })
  assert.match(await readStream(again), /\n\nretry: \d{3,4}\n\n$/)
  assert.deepEqual(await ended, { code: 0, signal: null }, service.output())
  const tookMs = performance.now() - signalledAt
  assert.ok(tookMs >= 2900 && tookMs < 6000, `${tookMs} ms`)
})

test('a second signal ends a drain', async (t) => {
  const service = await startService({
    isStartedBefore: true,
    environment: { CHARTSIDE_DRAIN_SECONDS: '60' },
  })
  t.after(() => service.discard())
  const began = performance.now()
  const ended = service.end('SIGTERM')
  while ((await send(service.baseUrl, '/health/ready')).status === 200) await sleep(10)
  service.end('SIGTERM')
  assert.deepEqual(await ended, { code: 0, signal: null })
  assert.ok(performance.now() - began < 5000)
})

test('a closing node answers what open connections bring, in our own shape', async (t) => {
  const service = await startService({ isStartedBefore: true })
  t.after(() => service.discard())
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const answers: number[] = []
  const work = async () => {
    for (;;) {
      const answer = await api(practice, 'GET', '/api/users/me').catch(() => undefined)
      if (!answer) return
      answers.push(answer.status)
      assert.ok(answer.status === 200 || answer.status === 503, answer.text)
      if (answer.status !== 503) continue
      assert.ok(answer.headers.get('retry-after'))
      assert.ok(answer.body.code && answer.body.traceId, answer.text)
    }
  }
  const working = Promise.all(Array.from({ length: 8 }, work))
  await sleep(200)
  await service.end('SIGTERM')
  await working
  assert.ok(answers.length > 8, String(answers.length))
})

test('silent connections keep no node from ending [F03]', { timeout: 30_000 }, async (t) => {
  const service = await startService({ isStartedBefore: true })
  t.after(() => service.discard())
  const sockets = Array.from({ length: 5 }, () => connect(service.port, '127.0.0.1'))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await fetch(`${service.baseUrl}/health`)
  const began = performance.now()
  const ending = await service.end('SIGTERM')
  const tookMs = performance.now() - began
  assert.deepEqual(ending, { code: 0, signal: null }, service.output())
  assert.ok(tookMs < 3000, `ending took ${tookMs} ms`)
})

const HALF_SENT = [
  'GET /health HTTP/1.1\r\nHost: loc',
  'POST /auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
]

test('requests that are never sent whole keep no node from ending [V25]', async (t) => {
  const service = await startService({ isStartedBefore: true })
  t.after(() => service.discard())
  for (const text of HALF_SENT) {
    const socket = connect(service.port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.on('error', () => {}).resume()
    await once(socket, 'connect')
    socket.write(text)
  }
  await fetch(`${service.baseUrl}/health`)
  const began = performance.now()
  assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null }, service.output())
  // Supervisors kill after 30 s, of which a drain takes ten.
  assert.ok(performance.now() - began < 15_000, `${performance.now() - began} ms`)
})

test('SIGTERM to npm ends the service [F03]', { skip: process.platform === 'win32' }, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chartside-npm-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await findFreePort()
  const npm = spawn('npm', ['run', 'serve'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environmentWithoutSettings(),
      CHARTSIDE_DATA_DIR: dataDir,
      CHARTSIDE_PORT: String(port),
      CHARTSIDE_DRAIN_SECONDS: '0',
    },
  })
  let printed = ''
  npm.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      () => true,
      () => false,
    )
  for (let waited = 0; !(await isServing()); waited += 50) {
    assert.ok(waited < 30_000, printed)
    await sleep(50)
  }
  npm.kill('SIGTERM')
  await once(npm, 'exit')
  for (let waited = 0; await isServing(); waited += 50) {
    assert.ok(waited < 5000, 'the service runs on without npm')
    await sleep(50)
  }
  assert.match(printed, /stopping/)
})
