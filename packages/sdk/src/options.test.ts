// The options of init as apps pass them: absent, undefined, null, or a signal with any reason. Spec
// §4.5; contract §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInit, type InitOptions } from './init.ts'
import { createLoader } from './loader.ts'
import { failureOf, HOST, openPage } from './sdk-fixture.ts'

test('takes an option that is undefined as absent, in types and at run time', async () => {
  const { page } = openPage()
  // An app with exactOptionalPropertyTypes passes on what it may not have.
  const options: InitOptions = {
    accessToken: 'at_1',
    idToken: undefined,
    code: undefined,
    debug: undefined,
    handshakeTimeoutMs: undefined,
    signal: undefined,
  }
  const sdk = await createInit(page, [HOST])(options)
  assert.equal(sdk.sessionContext?.userId, 'usr_1')
})

test('rejects, and does not throw, when options are null', async () => {
  const { page } = openPage()
  const none = null as unknown as InitOptions
  assert.equal((await failureOf(createInit(page, [HOST])(none))).code, 'TOKEN_FETCH_ERROR')
  assert.equal((await failureOf(createLoader(page)(none))).code, 'HOST_NOT_FOUND')
})

for (const reason of [null, 0, 'left', { cause: 'mine', fix: 'mine' }]) {
  test(`rejects with the reason of the signal: ${JSON.stringify(reason)}`, async () => {
    const { page, reports } = openPage({ onHello: () => {} })
    const init = createInit(page, [HOST])
    for (const isEarly of [true, false]) {
      const controller = new AbortController()
      if (isEarly) controller.abort(reason)
      const started = init({ accessToken: 'at_1', signal: controller.signal })
      controller.abort(reason)
      const rejectedWith = await started.then(
        () => assert.fail('init resolved'),
        (error: unknown) => error,
      )
      assert.equal(rejectedWith, reason)
    }
    assert.deepEqual(reports, [])
  })
}

test('names the sandbox when the page has no origin that a host could check', async () => {
  const { page } = openPage({ origin: 'null', onHello: () => {} })
  const init = createInit(page, [HOST])
  const { code, cause, fix } = await failureOf(
    init({ accessToken: 'at_1', handshakeTimeoutMs: 40 }),
  )
  assert.equal(code, 'HANDSHAKE_TIMEOUT')
  assert.match(cause, /sandbox takes the origin/)
  assert.match(fix, /allow-same-origin/)
  assert.doesNotMatch(fix, /allowed iframe URLs/)
})
