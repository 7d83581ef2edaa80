// What the browser gets: the launch page under its policy, and a script that was bundled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStage } from './stage.ts'

test('pages name who may frame them, and let in the SDK script and nothing inline', async (t) => {
  const { issuer, send } = await startStage(t)
  for (const path of ['/launch?launch_id=lnch_1', '/callback']) {
    const { status, headers } = await send(path)
    assert.equal(status, 200)
    const policy = headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`script-src 'self' ${issuer.baseUrl};`), policy)
    assert.ok(policy.includes('frame-ancestors http://ehr.example'), policy)
    assert.doesNotMatch(policy, /unsafe/)
  }
})

test('the page’s script and style sheet are there, and the client secret is in neither', async (t) => {
  const { issuer, send } = await startStage(t)
  for (const [path, type] of [
    ['/app.js', 'text/javascript'],
    ['/app.css', 'text/css'],
    ['/callback', 'text/html'],
  ] as const) {
    const response = await send(path)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', new RegExp(type))
    assert.ok(!(await response.text()).includes(issuer.clientSecret), path)
  }
})

test('what is not there is 404, with a cause and a fix', async (t) => {
  const { send } = await startStage(t)
  const response = await send('/nothing')
  assert.equal(response.status, 404)
  const { error, cause, fix } = (await response.json()) as Record<string, string>
  assert.ok(error === 'not_found' && cause && fix)
})
