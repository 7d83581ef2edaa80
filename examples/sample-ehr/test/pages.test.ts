// The EHR pages as the browser receives them: escaped, without inline script or style, under a
// strict policy; and the state in the address. Security H01.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { buildQuery, readAddress } from '../src/browser/address.ts'
import { CHARTS } from '../src/chart-data.ts'
import { ehrPage } from '../src/page.ts'
import { type RunningEhr, startSampleEhr } from '../src/server.ts'

const settings = {
  serviceUrl: 'http://localhost:1',
  practices: [{ name: '<b>"Quotes" & Co', providers: [{ name: 'Dr. A', email: 'a@b.example' }] }],
  ehrs: [
    { ehrType: 'meadow', name: 'Meadow EHR' },
    { ehrType: 'summit', name: 'Summit Clinical' },
  ],
  password: 'sample',
}

let ehr: RunningEhr
let base = ''
before(async () => {
  ehr = await startSampleEhr({ ...settings, port: 0 })
  base = `http://127.0.0.1:${ehr.port}`
})
after(() => ehr.stop())

test('escapes every value and has neither inline script nor inline style', () => {
  for (const chart of CHARTS) {
    const html = ehrPage(chart, settings)
    assert.ok(!html.includes('<b>'))
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  }
})

test('serves a page per EHR kind under a policy without inline script [H01]', async () => {
  for (const { ehrType } of CHARTS) {
    const response = await fetch(`${base}/${ehrType}`)
    assert.equal(response.status, 200)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  }
})

test('serves its script and style, and nothing else', async () => {
  for (const path of ['/ehr.js', '/ehr.css']) {
    assert.equal((await fetch(`${base}${path}`)).status, 200)
  }
  for (const path of ['/package.json', '/src/server.ts', '/..%2fpackage.json']) {
    assert.equal((await fetch(`${base}${path}`)).status, 404)
  }
})

test('treats a path that begins with two slashes as a path', async () => {
  const { port } = new URL(base)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '//' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', reject)
  })
  assert.equal(status, 302)
})

test('keeps the query when it redirects / to the first EHR kind', async () => {
  const response = await fetch(`${base}/?fault=sign-out`, { redirect: 'manual' })
  assert.equal(response.headers.get('location'), '/meadow?fault=sign-out')
})

test('accepts a fault as JSON only, against pages of other origins', async () => {
  const put = (type: string, fault: unknown) =>
    fetch(`${base}/fault`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: JSON.stringify({ fault }),
    })
  assert.equal((await put('text/plain', 'wrong-secret')).status, 415)
  assert.deepEqual(await (await put('application/json', 'wrong-secret')).json(), {
    fault: 'wrong-secret',
  })
  for (const other of [null, 'sign-out', 'no-such-fault', 7]) {
    assert.deepEqual(await (await put('application/json', other)).json(), { fault: null })
  }
})

test('keeps user, fault and panel in the address, without default values', () => {
  const state = { practice: 'A & B', provider: 'a@b.example', fault: 'x', panel: 'closed' } as const
  assert.deepEqual(readAddress(buildQuery(state)), state)
  assert.equal(buildQuery({ practice: null, provider: null, fault: null, panel: 'open' }), '')
})
