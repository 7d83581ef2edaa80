// A SMART app in its frame: no SDK says hello, and the exchange makes it ready. Contract §14.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHost } from './host-fixture.ts'
import { LaunchStates } from './launch-state.ts'

const app = {
  id: 'app_1',
  name: 'Growth',
  origins: ['https://notes.example'],
  launchStyle: 'smart',
}

function startSmart(t: Parameters<typeof startHost>[0]) {
  let launches = 0
  const fixture = startHost(t, {
    launches: () => {
      launches += 1
      const launchUrl = `https://notes.example/launch?launch_id=lnch_${launches}`
      return { id: `lau_${launches}`, launchId: `lnch_${launches}`, launchUrl, app, seed: {} }
    },
  })
  /** What the service says of the newest launch once its code was exchanged. */
  const exchanged = () => {
    const at = new Date(1_000_000).toISOString()
    const tokenExpiresAt = new Date(1_000_000 + 3_600_000).toISOString()
    const steps = [{ step: 'exchange', outcome: 'ok', at }]
    return { id: `lau_${launches}`, state: 'exchanged', steps, tokenExpiresAt }
  }
  return { ...fixture, sendExchanged: () => fixture.sendStreamEvent('launch', exchanged()) }
}

test('is ready at the exchange, once, and waits for no hello', async (t) => {
  const fixture = startSmart(t)
  await fixture.open()
  await fixture.sendExchanged()
  await fixture.sendExchanged()
  await fixture.advance(60_000)
  const types = fixture.listEventTypes()
  assert.equal(types.filter((type) => type === 'context').length, 1)
  assert.equal(types.includes('hello_timeout'), false)
  const steps = fixture.calls.filter(({ route }) => route === 'steps')
  assert.deepEqual(
    steps.map(({ body }) => JSON.parse(body).step),
    ['opened', 'context'],
  )
  const states = new LaunchStates()
  for (const event of fixture.events) states.apply(event)
  assert.equal(states.find('lau_1').kind, 'ready')
})

test('is launched again when its token expires, and not at an exchange of before', async (t) => {
  const fixture = startSmart(t)
  const frame = await fixture.open()
  await fixture.sendExchanged()
  await fixture.advance(3_600_000)
  assert.equal(frame.launch.id, 'lau_2')
  assert.equal(fixture.listEventTypes().filter((type) => type === 'context').length, 1)
})
