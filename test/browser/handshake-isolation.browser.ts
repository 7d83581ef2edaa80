// Two launches of one app in one page, in a real Chromium: reloaded and launched again in every
// order, neither gets the context or uses the token of the other. Security X03, X09, L05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  eventsOf,
  eventually,
  fixture,
  frameAt,
  initialize,
  openApp,
  openHost,
  page,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

const MOVES = ['reload 0', 'reload 1', 'launch 0', 'launch 1'] as const
const ORDERS = MOVES.flatMap((first) => MOVES.map((second) => [first, second] as const))

/** Which launch each of the two frames shows, as an index of the service's records. */
let shown = [0, 1]

async function move(what: (typeof MOVES)[number]): Promise<void> {
  const index = Number(what.at(-1))
  if (what.startsWith('reload')) {
    const app = await frameAt(index)
    await app.goto(`${fixture.origins.app}/manual?reloaded`)
    return
  }
  await page.evaluate((index) => window.openFrames[index]?.reload(), index)
  shown[index] = fixture.service.records.length - 1
}

/** Runs init in both frames at once with the tokens of these launches. */
const initializeBoth = (launches: readonly number[]) =>
  Promise.all(
    [0, 1].map(async (index) => {
      const record = launches[index] ?? -1
      const { idToken = '' } = fixture.service.records[record] ?? {}
      return initialize(await frameAt(index), { accessToken: tokenOf(record), idToken })
    }),
  )

test('keeps two launches apart in every order of reload and launch [X09]', async () => {
  await openHost()
  shown = [0, 1]
  await openApp('manual')
  await openApp('manual')
  for (const order of ORDERS) {
    for (const what of order) await move(what)
    const outcomes = await initializeBoth(shown)
    assert.deepEqual(
      outcomes.map(({ context }) => context?.deviceId),
      shown.map((record) => fixture.service.records[record]?.opened.seed.deviceId),
      order.join(', '),
    )
    const idTokens = await Promise.all(
      [0, 1].map(async (index) =>
        (await frameAt(index)).evaluate(
          async () => (await window.sdk.sessionContext?.getIdToken())?.idToken,
        ),
      ),
    )
    assert.deepEqual(
      idTokens,
      shown.map((record) => fixture.service.records[record]?.idToken),
    )
  }
})

test('refuses mixed-up tokens in every order of reload and launch [L05]', async () => {
  await openHost()
  shown = [0, 1]
  await openApp('manual')
  await openApp('manual')
  for (const order of ORDERS) {
    for (const what of order) await move(what)
    const [first = 0, second = 0] = shown
    const codes = (await initializeBoth([second, first])).map(({ code }) => code)
    assert.deepEqual(codes, ['LAUNCH_MISMATCH', 'LAUNCH_MISMATCH'], order.join(', '))
    for (const index of [0, 1]) {
      const accessToken = tokenOf(shown[1 - index] ?? -1)
      const { code } = await initialize(await frameAt(index), { accessToken })
      assert.equal(code, 'LAUNCH_MISMATCH', order.join(', '))
    }
  }
  assert.deepEqual(await eventsOf('context'), [])
})

test('welcomes no document of the previous launch while the next one loads [X09]', async () => {
  await openHost(500)
  const before = await openApp('manual')
  await before.evaluate(() => {
    let hellos = 0
    setInterval(() => {
      hellos += 1
      const nonce = `nonce_of_the_old_document_${hellos}`
      const hello = { type: 'chartside:hello', versions: [1], nonce, sdkVersion: '1.0.0' }
      window.parent.postMessage(hello, '*')
    }, 5)
  })
  await eventually(async () => (await eventsOf('handshake')).length > 0)
  const hold = Promise.withResolvers<void>()
  fixture.pageGate = hold.promise
  await page.evaluate(() => window.openFrames[0]?.reload())
  await eventually(async () => (await eventsOf('hello_timeout')).length === 1)
  const launches = (await eventsOf('handshake')).map(({ launch }) => launch)
  assert.deepEqual([...new Set(launches)], ['lau_1'])
  hold.resolve()
  const app = await frameAt(0)
  assert.ok((await initialize(app, { accessToken: tokenOf(1) })).context)
})
