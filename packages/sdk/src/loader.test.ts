// The loader with a page of plain objects: which script it adds, when it adds none, and how each
// failure ends. test/browser/handshake-loader.browser.ts
// shows the policies of a browser.
// Contract §5; security X08.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceSDKError } from './errors.ts'
import type { ServiceSDK } from './init.ts'
import { createLoader, type LoadOptions } from './loader.ts'
import { failureOf, INVALID_TIMES } from './sdk-fixture.ts'
import type { Chartside } from './served.ts'

class Script extends EventTarget {
  dataset: Record<string, string> = {}
  src = ''
  integrity = ''
  nonce = ''
  crossOrigin = ''
  isInPage = true
  remove(): void {
    this.isInPage = false
  }
}

const SERVICE = 'https://service.example'

type Result = 'loads' | 'fails' | 'is blocked' | 'is something else' | 'never loads'

/** A page; `result` is what becomes of a script that is added: by default the SDK loads. */
function createPage(result: Result = 'loads') {
  const scripts: Script[] = []
  const inits: LoadOptions[] = []
  const sdk = { version: '1.0.0' } as ServiceSDK
  const promise = Promise.resolve(sdk)
  const chartside = {
    initServiceSDK: (options: LoadOptions) => {
      inits.push(options)
      return promise
    },
  } as Chartside
  const run = (script: Script) => {
    if (result === 'never loads') return
    if (result === 'loads') page.Chartside = chartside
    if (result === 'is blocked') {
      for (const blockedURI of ['inline', '', script.src]) {
        document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), { blockedURI }))
      }
    }
    script.dispatchEvent(new Event(/fails|blocked/.test(result) ? 'error' : 'load'))
  }
  const document = Object.assign(new EventTarget(), {
    createElement: () => new Script(),
    querySelector: (selector: string) =>
      scripts.find(({ dataset, nonce, isInPage }) =>
        selector === 'script[nonce]' ? nonce : isInPage && 'chartside' in dataset,
      ) ?? null,
    head: {
      append: (script: Script) => {
        scripts.push(script)
        queueMicrotask(() => run(script))
      },
    },
  })
  const page = {
    document: document as unknown as Document,
    location: { search: '' },
    Chartside: undefined as Chartside | undefined,
  }
  return { page, scripts, inits, sdk, promise, chartside, run, init: createLoader(page as never) }
}

test('adds the newest script of the service once, and calls its init', async () => {
  const { init, scripts, inits, sdk } = createPage()
  const options = { baseUrl: `${SERVICE}/`, accessToken: 'at_1' }
  const first = init(options)
  assert.equal(init({ accessToken: 'at_2' }), first)
  assert.equal(await first, sdk)
  assert.equal(init(), first)
  assert.deepEqual(
    inits.map(({ accessToken }) => accessToken),
    ['at_1'],
  )
  assert.equal(scripts.length, 1)
  const { src, integrity, crossOrigin, nonce } = scripts[0] ?? {}
  assert.deepEqual(
    { src, integrity, crossOrigin, nonce },
    { src: `${SERVICE}/sdk/v1/sdk.js`, integrity: '', crossOrigin: 'anonymous', nonce: '' },
  )
})

test('adds the given script with its integrity and nonce', async () => {
  const { init, scripts } = createPage()
  await init({ src: `${SERVICE}/a.js`, integrity: 'sha384-x', nonce: 'n1' })
  const { src, integrity, nonce } = scripts[0] ?? {}
  assert.deepEqual([src, integrity, nonce], [`${SERVICE}/a.js`, 'sha384-x', 'n1'])
})

test('uses the nonce of the page by default', async () => {
  const { init, scripts } = createPage()
  scripts.push(Object.assign(new Script(), { nonce: 'of the page' }))
  await init({ baseUrl: SERVICE })
  assert.equal(scripts[1]?.nonce, 'of the page')
})

test('adds no script to a page with the SDK, and returns its promise', async () => {
  const { init, scripts, page, chartside, promise } = createPage()
  page.Chartside = chartside
  assert.equal(init({ accessToken: 'at_1' }), promise)
  assert.equal(scripts.length, 0)
})

test('waits for a script tag that is still loading', async () => {
  const { init, scripts, run, sdk } = createPage()
  const tag = Object.assign(new Script(), { dataset: { chartside: '' } })
  scripts.push(tag)
  const ready = init({ baseUrl: SERVICE })
  run(tag)
  assert.equal(await ready, sdk)
  assert.equal(scripts.length, 1)
})

test('uses the code that the address had at import', async () => {
  const { page, inits } = createPage()
  page.location = { search: '?code=code_1&state=s' }
  const init = createLoader(page as never)
  page.location = { search: '' }
  await init({ baseUrl: SERVICE })
  assert.equal(inits[0]?.code, 'code_1')
})

for (const [code, expected] of [
  [undefined, 'code_1'],
  ['code_2', 'code_2'],
] as const) {
  test(`passes on ${expected} when it gets the code ${code}`, async () => {
    const { page, inits } = createPage()
    page.location = { search: '?code=code_1' }
    await createLoader(page as never)({ baseUrl: SERVICE, code })
    assert.equal(inits[0]?.code, expected)
  })
}

for (const [result, options, cause] of [
  ['fails', { baseUrl: SERVICE }, /address.*script-src.*integrity/],
  [
    'is blocked',
    { baseUrl: SERVICE },
    /Policy blocked.*Allow https:\/\/service\.example in script-src/,
  ],
  [
    'is something else',
    { src: `${SERVICE}/jquery.js` },
    /jquery\.js loaded, but it is not the SDK/,
  ],
  ['never loads', { baseUrl: SERVICE, handshakeTimeoutMs: 30 }, /did not load within 0\.03 s/],
  ['loads', {}, /Pass baseUrl/],
] as const satisfies readonly (readonly [string, LoadOptions, RegExp])[]) {
  const fault = Object.keys(options).length === 0 ? 'has no address' : result
  test(`rejects with HOST_NOT_FOUND when the script ${fault} [X08]`, async () => {
    const { init, scripts } = createPage(result)
    for (const attempt of ['first', 'second']) {
      const error = await failureOf(init(options))
      assert.equal(error.code, 'HOST_NOT_FOUND', attempt)
      assert.match(error.message, cause)
    }
    const isAdded = 'src' in options || 'baseUrl' in options
    assert.deepEqual(
      scripts.map(({ isInPage }) => isInPage),
      isAdded ? [false, false] : [],
      'a failed script is out of the way of the next try',
    )
  })
}

test('rejects with HOST_NOT_FOUND when the page forbids new scripts', async () => {
  const { init, page } = createPage()
  page.document.head.append = () => {
    throw new TypeError('This document requires TrustedScriptURL assignment.')
  }
  const { code, message } = await failureOf(init({ baseUrl: SERVICE }))
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message, /TrustedScriptURL/)
})

for (const [given, ms] of INVALID_TIMES) {
  test(`waits ${ms} ms for the script with a handshakeTimeoutMs of ${given} [X08]`, async (t) => {
    const { init } = createPage('never loads')
    const timers = t.mock.method(globalThis, 'setTimeout')
    const controller = new AbortController()
    const { signal } = controller
    const pending = init({ baseUrl: SERVICE, handshakeTimeoutMs: given, signal })
    controller.abort(new Error('left'))
    await assert.rejects(pending, /left/)
    assert.deepEqual(
      timers.mock.calls.map(({ arguments: [, delay] }) => delay),
      [ms],
    )
  })
}

test('rejects with HOST_NOT_FOUND on a server', async () => {
  const { code, message } = await failureOf(createLoader({})({ baseUrl: SERVICE }))
  assert.equal(code, 'HOST_NOT_FOUND')
  assert.match(message, /in the browser/)
})

test('stops on an abort signal while the script loads, and starts again at once', async () => {
  const { init, scripts, page, sdk } = createPage('never loads')
  const controller = new AbortController()
  const cleanedUp = init({ baseUrl: SERVICE, signal: controller.signal })
  controller.abort(new Error('effect cleaned up'))
  const again = init({ baseUrl: SERVICE })
  await assert.rejects(cleanedUp, /cleaned up/)
  page.Chartside = createPage().chartside
  scripts[0]?.dispatchEvent(new Event('load'))
  assert.equal((await again).version, sdk.version)
  assert.equal(scripts.length, 1, 'the script under way is used')
})

test('starts the next init although the script of an aborted init fails', async () => {
  const { init, scripts, page, chartside, sdk } = createPage('never loads')
  const controller = new AbortController()
  const left = init({ baseUrl: SERVICE, signal: controller.signal })
  controller.abort(new Error('left'))
  await assert.rejects(left, /left/)
  scripts[0]?.dispatchEvent(new Event('error'))
  const again = init({ baseUrl: SERVICE, handshakeTimeoutMs: 200 })
  assert.deepEqual(
    scripts.map(({ isInPage }) => isInPage),
    [false, true],
  )
  page.Chartside = chartside
  scripts[1]?.dispatchEvent(new Event('load'))
  assert.equal(await again, sdk)
})

test("keeps the page's own script tag when a waiting init is aborted", async () => {
  const { init, scripts } = createPage('never loads')
  const tag = Object.assign(new Script(), { dataset: { chartside: '' } })
  scripts.push(tag)
  const controller = new AbortController()
  const left = init({ signal: controller.signal })
  controller.abort(new Error('left'))
  await assert.rejects(left, /left/)
  assert.ok(tag.isInPage)
})

test('rejects with the error class of the served script', async () => {
  const { ServiceSDKError: served } = await import('./served.ts')
  assert.equal(served, ServiceSDKError)
})

test('takes an element with the id Chartside for no SDK', async () => {
  const { page, scripts, init, sdk } = createPage()
  Object.assign(page, { Chartside: { id: 'Chartside' } })
  assert.equal(await init({ baseUrl: SERVICE }), sdk)
  assert.equal(scripts.length, 1)
})
