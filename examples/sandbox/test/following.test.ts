// How the sandbox follows launches when the service refuses its calls: it signs in once when its
// session has expired, and polls with a growing interval while look-ups fail. Contract §3.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Launch } from '@chartside/protocol/launch'
import { decideState, LaunchFollower } from '../src/launch-follower.ts'
import { ServiceApi } from '../src/service-api.ts'

/** A service whose sessions can be ended; it records its requests. */
async function startService(t: TestContext) {
  const requests: string[] = []
  const state = { token: '', canSignIn: true }
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (request.url === '/auth/sign-in') {
      state.token = `st_${requests.length}`
      response.statusCode = state.canSignIn ? 200 : 503
      return void response.end(JSON.stringify({ token: state.token }))
    }
    const isLive = request.headers.authorization === `Bearer ${state.token}`
    response.statusCode = isLive ? 200 : 401
    response.end(JSON.stringify(isLive ? { id: 'lau_1' } : { title: 'Unauthorized' }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}`, requests, state }
}

const ADMINISTRATOR = { email: 'admin@chartside.example', password: 'random' }

const signIns = (requests: readonly string[]): number =>
  requests.filter((line) => line === 'POST /auth/sign-in').length

test('signs in once for all calls when its session has expired', async (t) => {
  const { base, requests, state } = await startService(t)
  const api = await ServiceApi.signIn(base, ADMINISTRATOR)
  state.token = 'idled out'
  const views = await Promise.all(['lau_1', 'lau_2', 'lau_3'].map((id) => api.findLaunch(id)))
  assert.deepEqual(
    views.map((view) => view?.id),
    ['lau_1', 'lau_1', 'lau_1'],
  )
  assert.equal(signIns(requests), 2)
})

test('finds no launch, and does not retry, while it cannot sign in', async (t) => {
  const { base, requests, state } = await startService(t)
  const api = await ServiceApi.signIn(base, ADMINISTRATOR)
  Object.assign(state, { token: 'idled out', canSignIn: false })
  assert.equal(await api.findLaunch('lau_1'), null)
  assert.equal(signIns(requests), 2)
})

test('polls with a growing interval while look-ups fail', async () => {
  let looks = 0
  const follower = new LaunchFollower({
    findLaunch: async () => {
      looks += 1
      return null
    },
    onStep: () => assert.fail('there is no step to report'),
    onState: () => assert.fail('there is no state to report'),
    intervalMs: 5,
  })
  follower.follow('lau_1')
  await wait(300)
  follower.stop()
  // At an even pace there would be about sixty; doubling leaves six.
  assert.ok(looks >= 1 && looks <= 8, `${looks} looks`)
})

test('looks seldom at a launch that stands still, and at once at one with a new step', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const looks: number[] = []
  const steps: object[] = []
  const reported: unknown[] = []
  const follower = new LaunchFollower({
    findLaunch: async (id) => {
      looks.push(Date.now())
      return { id, state: 'opened', steps: [...steps] } as unknown as Launch
    },
    onStep: (_, { step }) => reported.push(step),
    onState: () => {},
  })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      t.mock.timers.tick(50)
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    }
  }
  follower.follow('lau_1')
  await pass(10_000)
  const whileQuiet = looks.length
  steps.push({ step: 'created', outcome: 'ok', at: '1' })
  await pass(2_000)
  assert.deepEqual(reported, ['created'])
  looks.length = 0
  await pass(1_000)
  const afterStep = looks.length
  follower.stop()
  // At an even pace there would be 66 looks in ten seconds, and six in one.
  assert.ok(whileQuiet <= 9 && afterStep >= 1, `${whileQuiet} looks, then ${afterStep}`)
})

test('decides the state of a launch from its steps', () => {
  const step = (name: string, outcome = 'ok') => ({ step: name, outcome, at: '' })
  const decide = (state: string, ...steps: object[]) =>
    decideState({ state, steps, spans: [] } as unknown as Launch)
  assert.deepEqual(decide('opened', step('created')), { kind: 'opening' })
  assert.deepEqual(decide('exchanged', step('context')), { kind: 'ready' })
  const failed = [step('exchange', 'failed'), step('handshake', 'failed')]
  assert.deepEqual(decide('ended', ...failed), { kind: 'failed', step: 'Exchange' })
  assert.deepEqual(decide('exchanged', ...failed, step('context')), { kind: 'ready' })
  assert.deepEqual(decide('expired', step('context')), {
    ...{ kind: 'ended', reason: 'expired', hasHello: false },
  })
  const timeout = { ...step('handshake', 'failed'), code: 'HANDSHAKE_TIMEOUT' }
  const silent = decide('authorized', step('authorize'), step('code'), timeout)
  assert.deepEqual(silent, { kind: 'failed', step: 'Exchange' }, 'the first that did not happen')
})
