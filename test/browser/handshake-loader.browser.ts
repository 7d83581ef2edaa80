// How the served script comes into a page, in a real Chromium: one SDK whichever ways are mixed,
// nonces and integrity, and a named error for every script that does not come.
// Contract §5, spec §5.5; security H06, X08.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { LoadAndInit } from '@chartside/sdk'
import type { Frame } from 'playwright-core'
import { HOST_ORIGINS_TOKEN } from '../../packages/sdk/build.ts'
import {
  eventsOf,
  initialize,
  openApp,
  openHost,
  type PageWithSDK,
  stage,
  tokenOf,
  useStage,
} from './host-page.ts'

useStage()

/** An app's page with these scripts, in the frame that the host opened for it. */
async function openPage(query: string): Promise<Frame> {
  await openHost()
  const app = await openApp('silent')
  await app.goto(`${stage.origins.app}/manual?${query}`)
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
  test(`a page has one SDK and one init with ${scripts}`, async () => {
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

test('a script that comes later, classic or module, gives out the SDK that is there', async () => {
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
  }, stage.origins.sdk)
  assert.ok(isKept)
})

test('waits for a tag that is still loading, and adds no script of its own', async () => {
  await openHost()
  const app = await openApp('silent')
  const hold = Promise.withResolvers<void>()
  await app.goto(`${stage.origins.app}/manual?scripts=import`)
  stage.held = hold.promise
  await app.evaluate((src) => {
    const tag = Object.assign(document.createElement('script'), { src })
    tag.dataset.chartside = ''
    document.head.append(tag)
  }, `${stage.origins.sdk}/slow/sdk.js`)
  const outcome = app.evaluate(async (accessToken) => {
    const { Imported } = window as unknown as PageWithSDK
    return (await Imported.bare({ accessToken })).version
  }, tokenOf(0))
  await app.evaluate(() => 'init has begun')
  hold.resolve()
  assert.equal(await outcome, '1.0.0')
  assert.equal(await tagsIn(app), 1)
})

test('a script that assigns to window.Chartside later changes nothing', async () => {
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
  test(`a policy of nonces is enough, by ${scripts}: the loader hands the page's on [H06]`, async () => {
    const app = await openPage(`scripts=${scripts}&nonce`)
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
    assert.deepEqual(await app.evaluate(() => window.violations), [])
  })
}

test('a wrong nonce is HOST_NOT_FOUND, and names script-src', async () => {
  const app = await openPage('scripts=import&nonce')
  const { code, message } = await initialize(app, { nonce: 'another' })
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message ?? '', /script-src/)
})

test('a script pinned by its integrity loads, and one that was changed does not [H06]', async () => {
  const served = stage.scripts.sdk.replace(HOST_ORIGINS_TOKEN, JSON.stringify([stage.origins.host]))
  const integrity = `sha384-${createHash('sha384').update(served).digest('base64')}`
  const src = `${stage.origins.sdk}/sdk.js`
  const app = await openPage('scripts=import')
  stage.scripts = { ...stage.scripts, sdk: `${stage.scripts.sdk}\nglobalThis.changed = true` }
  const { code, message } = await initialize(app, { src, integrity })
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message ?? '', /integrity/)
  assert.equal(await app.evaluate(() => 'changed' in window), false)
  stage.scripts = { ...stage.scripts, sdk: stage.scripts.sdk.replace(/\n.*$/, '') }
  assert.ok((await initialize(app, { src, integrity, accessToken: tokenOf(0) })).context)
})

for (const [fault, path, cause] of [
  ['does not exist', '/missing.js', /missing\.js did not load.*address/],
  ['is another script', '/other.js', /other\.js loaded, but it is not the SDK/],
  ['never answers', '/never.js', /never\.js did not load within 0\.3 s/],
] as const) {
  test(`a script that ${fault} is HOST_NOT_FOUND, and a call after it tries again [X08]`, async () => {
    const app = await openPage('scripts=import')
    const src = `${stage.origins.sdk}${path}`
    const { code, message, ms } = await initialize(app, { src, handshakeTimeoutMs: 300 })
    assert.equal(code, 'HOST_NOT_FOUND')
    assert.match(message ?? '', cause)
    assert.ok(ms < 2_000, `${ms} ms`)
    assert.ok((await initialize(app, { accessToken: tokenOf(0) })).context)
    assert.equal(await tagsIn(app), 1)
  })
}

test('a script that the policy forbids is HOST_NOT_FOUND at once, and names script-src', async () => {
  const app = await openPage('scripts=import')
  const { code, message, ms } = await initialize(app, { src: `${stage.origins.stranger}/sdk.js` })
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message ?? '', /script-src/)
  assert.ok(ms < 2_000, `${ms} ms`)
})

test('an import that is told no address and finds no script says what to pass', async () => {
  const app = await openPage('scripts=import')
  const message = await app.evaluate(() =>
    (window as unknown as PageWithSDK).Imported.bare().catch(({ message }) => message),
  )
  assert.match(String(message), /Pass baseUrl/)
})

test('an init that begins as another is aborted has the script that was under way', async () => {
  await openHost()
  const app = await openApp('silent')
  const hold = Promise.withResolvers<void>()
  await app.goto(`${stage.origins.app}/manual?scripts=import`)
  stage.held = hold.promise
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
    { src: `${stage.origins.sdk}/slow/sdk.js`, accessToken: tokenOf(0) },
  )
  await app.evaluate(() => 'init has begun')
  hold.resolve()
  assert.equal(await version, '1.0.0')
  assert.equal((await eventsOf('handshake')).length, 1)
})

test('a signal ends the wait for a script that never answers', async () => {
  const app = await openPage('scripts=import')
  const message = await app.evaluate((src) => {
    const controller = new AbortController()
    const { initServiceSDK } = (window as unknown as PageWithSDK).Imported
    const options = { src, signal: controller.signal }
    setTimeout(() => controller.abort(new Error('left')), 50)
    return initServiceSDK(options).catch(({ message }) => message)
  }, `${stage.origins.sdk}/never.js`)
  assert.equal(message, 'left')
})
