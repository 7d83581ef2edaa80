// What the app sends to any browser: pages under their policy, and bundled assets, without a secret.
// Spec §5.5.
import assert from 'node:assert/strict'
import { collectTests } from './collect-tests.ts'
import type { AppFixture } from './fixture.ts'

export const { test, register: testPages } = collectTests<AppFixture>()

test('names who may frame a page, and allows the SDK script and nothing inline', async (t, startFixture) => {
  const { issuer, send } = await startFixture(t)
  for (const path of ['/launch?launch_id=lnch_1', '/callback']) {
    const { status, headers } = await send(path)
    assert.equal(status, 200)
    const policy = headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`script-src 'self' ${issuer.baseUrl};`), policy)
    assert.ok(policy.includes('frame-ancestors http://ehr.example'), policy)
    assert.doesNotMatch(policy, /unsafe/)
  }
})

test('serves script, style sheet and pages without a secret', async (t, startFixture) => {
  const { lines, secrets, send } = await startFixture(t)
  for (const [path, type] of [
    ['/launch.js', 'text/javascript'],
    ['/app.js', 'text/javascript'],
    ['/app.css', 'text/css'],
    ['/launch', 'text/html'],
    ['/callback', 'text/html'],
    ['/', 'text/html'],
  ] as const) {
    const response = await send(path)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', new RegExp(type))
    const text = await response.text()
    for (const secret of secrets) assert.ok(!text.includes(secret), path)
  }
  for (const secret of secrets) assert.ok(!lines.join('\n').includes(secret))
})

test('lets a browser keep a script under the address of its text, and no page', async (t, startFixture) => {
  const { send } = await startFixture(t)
  for (const path of ['/launch', '/callback']) {
    const page = await send(path)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const addresses = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)]
    assert.equal(addresses.length, 2)
    for (const [, address = ''] of addresses) {
      const kept = (await send(address)).headers
      assert.match(kept.get('cache-control') ?? '', /immutable/)
      assert.ok(kept.get('content-security-policy'))
      const earlier = (await send(address.replace(/v=.+/, 'v=earlier'))).headers
      assert.equal(earlier.get('cache-control'), 'no-store')
    }
  }
})

test('begins a launch with a script that carries nothing of the app', async (t, startFixture) => {
  const { send } = await startFixture(t)
  const [small, whole] = await Promise.all(
    ['/launch.js', '/app.js'].map(async (path) => (await (await send(path)).text()).length),
  )
  assert.ok(small && whole && small < whole / 2, `${small} of ${whole} characters`)
})
