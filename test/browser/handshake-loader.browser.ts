// Loads the served script into a page, in a real Chromium: one SDK for any mix of tags and imports,
// nonces and integrity, and an error with a cause for each script that does not load.
// Contract §5, spec §5.5; security H06, X08.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { LoadAndInit } from '@chartside/sdk'
import type { Frame } from 'playwright-core'
import { HOST_ORIGINS_TOKEN } from '../../packages/sdk/build.ts'
import {
  eventsOf,
  fixture,
  initialize,
  openApp,
  openHost,
  type PageWithSDK,
  tokenOf,
  useFixture,
} from './handshake-pages.ts'

useFixture()

/** An app's page with these scripts, in the frame that the host opened for it. */
async function openPage(query: string): Promise<Frame> {
  await openHost()
  const app = await openApp('without-sdk')
  await app.goto(`${fixture.origins.app}/manual?${query}`)
  return app
}

const tagsIn = (app: Frame) => app.locator('script[src*="/sdk"]').count()

for (const [scripts, tags] of [
  ['tag,tag', 2],
  ['tag,import', 1],
  ['import,tag', 1],
  ['tag,module', 2],
  ['async,import', 1],
] as const) {
  test(`has one SDK and one init in a page with ${scripts}`, async () => {
    const app = await openPage(`scripts=${scripts}`)
    const isOne = await app.evaluate(async (accessToken) => {
      const { Imported, Chartside } = window as unknown as PageWithSDK
      const ways = [Imported ?? Chartside, Chartside ?? Imported]
      const [first, second] = await Promise.all(
        ways.map(({ initServiceSDK }) => initServiceSDK({ accessToken })),
      )
      return first === second
    }, tokenOf(0))
    assert.ok(isOne)
    assert.equal((await eventsOf('handshake')).length, 1)
    assert.equal(await tagsIn(app), tags, 'the loader adds none')
    assert.deepEqual(await app.evaluate(() => window.violations), [])
  })
}

test('exports the first SDK from a later script, classic or module', async () => {
  const app = await openPage('scripts=tag')
  const isKept = await app.evaluate(async (sdk) => {
    const { Chartside: first } = window as unknown as PageWithSDK
    await new Promise((resolve) => {
      const again = Object.assign(document.createElement('script'), { src: `${sdk}/sdk.js` })
      again.onload = resolve
      document.head.append(again)
    })
    const module: PageWithSDK['Chartside'] = await import(`${sdk}/sdk.mjs`)
    const { Chartside: last } = window as unknown as PageWithSDK
    return last === first && module.initServiceSDK === first.initServiceSDK
  }, fixture.origins.sdk)
  assert.ok(isKept)
})

test('waits for a tag that is still loading, and adds no script', async () => {
  await openHost()
  const app = await openApp('without-sdk')
  const hold = Promise.withResolvers<void>()
  await app.goto(`${fixture.origins.app}/manual?scripts=import`)
  fixture.pageGate = hold.promise
  await app.evaluate((src) => {
    const tag = Object.assign(document.createElement('script'), { src })
    tag.dataset.chartside = ''
    document.head.append(tag)
  }, `${fixture.origins.sdk}/slow/sdk.js`)
  const outcome = app.evaluate(async (accessToken) => {
    const { Imported } = window as unknown as PageWithSDK
    return (await Imported.bare({ accessToken })).version
  }, tokenOf(0))
  await app.evaluate(() => 'init has begun')
  hold.resolve()
  assert.equal(await outcome, '1.0.0')
  assert.equal(await tagsIn(app), 1)
})

test('keeps window.Chartside when a later script assigns to it', async () => {
  const app = await openPage('scripts=tag')
  const isKept = await app.evaluate(() => {
    const page = window as unknown as { Chartside: { initServiceSDK: unknown } }
    const { Chartside } = page
    Reflect.set(page, 'Chartside', {})
    Reflect.set(Chartside, 'initServiceSDK', null)
    return page.Chartside === Chartside && typeof Chartside.initServiceSDK === 'function'
  })
  assert.ok(isKept)
})

for (const scripts of ['tag', 'import']) {
  test(`loads under a policy of nonces, by ${scripts} [H06]`, async () => {
    const app = await openPage(`scripts=${scripts}&nonce`)
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
    assert.deepEqual(await app.evaluate(() => window.violations), [])
  })
}

test('rejects a wrong nonce with HOST_NOT_FOUND, and names script-src', async () => {
  const app = await openPage('scripts=import&nonce')
  const { code, message } = await initialize(app, { nonce: 'another' })
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message ?? '', /script-src/)
})

test('loads a script with its integrity, and refuses a changed one [H06]', async () => {
  const served = fixture.scripts.sdk.replace(
    HOST_ORIGINS_TOKEN,
    JSON.stringify([fixture.origins.host]),
  )
  const integrity = `sha384-${createHash('sha384').update(served).digest('base64')}`
  const src = `${fixture.origins.sdk}/sdk.js`
  const app = await openPage('scripts=import')
  fixture.scripts = { ...fixture.scripts, sdk: `${fixture.scripts.sdk}\nglobalThis.changed = true` }
  const { code, message } = await initialize(app, { src, integrity })
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message ?? '', /integrity/)
  assert.equal(await app.evaluate(() => 'changed' in window), false)
  fixture.scripts = { ...fixture.scripts, sdk: fixture.scripts.sdk.replace(/\n.*$/, '') }
  assert.ok((await initialize(app, { src, integrity, accessToken: tokenOf(0) })).context)
})

for (const [fault, path, cause] of [
  ['does not exist', '/missing.js', /missing\.js did not load.*address/],
  ['is another script', '/other.js', /other\.js loaded, but it is not the SDK/],
  ['never answers', '/never.js', /never\.js did not load within 0\.3 s/],
] as const) {
  test(`rejects a script that ${fault} with HOST_NOT_FOUND, and tries again [X08]`, async () => {
    const app = await openPage('scripts=import')
    const src = `${fixture.origins.sdk}${path}`
    const { code, message, ms } = await initialize(app, { src, handshakeTimeoutMs: 300 })
    assert.equal(code, 'HOST_NOT_FOUND')
    assert.match(message ?? '', cause)
    assert.ok(ms < 2_000, `${ms} ms`)
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
    assert.equal(await tagsIn(app), 1)
  })
}

test('rejects a forbidden script with HOST_NOT_FOUND, and names script-src', async () => {
  const app = await openPage('scripts=import')
  const { code, message, ms } = await initialize(app, { src: `${fixture.origins.foreign}/sdk.js` })
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message ?? '', /script-src/)
  assert.ok(ms < 2_000, `${ms} ms`)
})

test('names the missing option when it has no address and no script', async () => {
  const app = await openPage('scripts=import')
  const message = await app.evaluate(() =>
    (window as unknown as PageWithSDK).Imported.bare().catch(({ message }) => message),
  )
  assert.match(String(message), /Pass baseUrl/)
})

test('uses the script under way when an init starts as another is aborted', async () => {
  await openHost()
  const app = await openApp('without-sdk')
  const hold = Promise.withResolvers<void>()
  await app.goto(`${fixture.origins.app}/manual?scripts=import`)
  fixture.pageGate = hold.promise
  const version = app.evaluate(
    async ({ src, accessToken }) => {
      const { initServiceSDK }: { readonly initServiceSDK: LoadAndInit } = (
        window as unknown as PageWithSDK
      ).Imported
      const effect = new AbortController()
      const cleanedUp = initServiceSDK({ src, signal: effect.signal }).catch(() => {})
      effect.abort()
      const again = initServiceSDK({ src, accessToken })
      await cleanedUp
      return (await again).version
    },
    { src: `${fixture.origins.sdk}/slow/sdk.js`, accessToken: tokenOf(0) },
  )
  await app.evaluate(() => 'init has begun')
  hold.resolve()
  assert.equal(await version, '1.0.0')
  assert.equal((await eventsOf('handshake')).length, 1)
})

test('stops on a signal while a script never loads', async () => {
  const app = await openPage('scripts=import')
  const message = await app.evaluate((src) => {
    const controller = new AbortController()
    const { initServiceSDK } = (window as unknown as PageWithSDK).Imported
    const options = { src, signal: controller.signal }
    setTimeout(() => controller.abort(new Error('left')), 50)
    return initServiceSDK(options).catch(({ message }) => message)
  }, `${fixture.origins.sdk}/never.js`)
  assert.equal(message, 'left')
})
