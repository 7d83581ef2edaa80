// What the first-run page says of an address: the service, another server, one that does not admit the
// extension, and none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkService } from './service-check.ts'

const ORIGIN = 'chrome-extension://abc'
const check = (answer: (mode: string | undefined) => Response | Error) =>
  checkService('https://chartside.example', ORIGIN, async (input, init) => {
    assert.equal(String(input), 'https://chartside.example/auth/config')
    assert.equal(init?.credentials, 'omit')
    const found = answer(init?.mode)
    if (found instanceof Error) throw found
    return found
  })

test('says nothing of the service itself', async () => {
  const config = { signInUrl: 'https://chartside.example/auth/sign-in', methods: [] }
  assert.deepEqual(await check(() => Response.json(config)), {})
})

test('names another server, and a service that does not admit the extension', async () => {
  const other = await check(() => new Response('<html>', { status: 404 }))
  assert.match(other.detail ?? '', /answered 404/)
  const refusing = await check((mode) =>
    mode === 'cors' ? new TypeError('Failed to fetch') : new Response(),
  )
  assert.match(refusing.problem ?? '', /does not let this extension sign you in/)
  assert.match(refusing.detail ?? '', /chrome-extension:\/\/abc to its CHARTSIDE_HOST_ORIGINS/)
})

test('says that nothing answers', async () => {
  const { problem } = await check(() => new TypeError('Failed to fetch'))
  assert.match(problem ?? '', /Nothing answers there from this computer/)
})
