// The EHR pages as the browser receives them: escaped, without inline script or style, under a
// strict policy; and the state in the address. Security H01.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { findChart } from '@chartside/protocol/charts'
import { SAMPLE_EHRS } from '@chartside/server/sample-data'
import { type Assets, buildAssets } from '../src/assets.ts'
import { buildQuery, readAddress } from '../src/browser/address.ts'
import { readRoute } from '../src/browser/ehr-route.ts'
import { chartAddress, EHRS } from '../src/ehrs.ts'
import { sandboxPage } from '../src/sandbox-page.ts'
import {
  type AddedApp,
  type NewApp,
  type RunningEhr,
  type StudioCalls,
  startSampleEhr,
} from '../src/server.ts'

const settings = {
  serviceUrl: 'http://localhost:1',
  practices: [{ name: '<b>"Quotes" & Co', providers: [{ name: 'Dr. A', email: 'a@b.example' }] }],
  ehrs: [
    { ehrType: 'meadow', name: 'Meadow EHR' },
    { ehrType: 'summit', name: 'Summit Clinical' },
  ],
  password: 'sample',
}

const sandbox = {
  findSession: async () => null,
  addApp: async ({ name, launchUrl }: NewApp): Promise<AddedApp> => {
    if (launchUrl.startsWith('ftp:')) throw new Error('launchUrl: not an address of a page')
    return { appId: 'app_1', name, wasRegistered: false, environment: { CLIENT_ID: 'cli_1' } }
  },
}

let isPlaying = false
const studio: StudioCalls = {
  read: async (app) =>
    app === 'my-app' ? { apps: [], runs: [], shown: null, playing: null, problem: null } : null,
  start: () => {
    if (isPlaying) return false
    isPlaying = true
    return true
  },
  stop: () => {
    isPlaying = false
  },
}

let assets: Assets
let ehr: RunningEhr
let base = ''
before(async () => {
  assets = await buildAssets()
  ehr = await startSampleEhr({ ...settings, assets, sandbox, studio, port: 0 })
  base = `http://127.0.0.1:${ehr.port}`
})
after(() => ehr.stop())

test('escapes every value and has neither inline script nor inline style', () => {
  for (const ehr of EHRS) {
    const html = sandboxPage(ehr, settings)
    assert.ok(!html.includes('<b>'))
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  }
})

test('serves a page per EHR kind under a policy without inline script [H01]', async () => {
  const pages = EHRS.flatMap((ehr) => [
    [`/${ehr.ehrType}`, 'none'],
    [ehr.path, 'self'],
    ...ehr.visits.map(({ patient }) => [chartAddress(ehr, patient, 'results'), 'self']),
  ])
  for (const [path = '', ancestors = ''] of pages) {
    const response = await fetch(base + path)
    assert.equal(response.status, 200)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    // None of them has default-src as its fallback.
    assert.ok(policy.includes(`frame-ancestors '${ancestors}'`), `${path}: ${policy}`)
    for (const name of ['base-uri', 'form-action']) {
      assert.ok(policy.includes(`${name} 'none'`), `${path}: ${policy}`)
    }
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  }
})

test('finds the chart in each address of an EHR by the patterns of the samples', () => {
  for (const ehr of EHRS) {
    const { charts = [] } = SAMPLE_EHRS.find(({ ehrType }) => ehrType === ehr.ehrType) ?? {}
    const find = (path: string) => findChart(charts, `http://ehr.localhost:4711${path}`)
    assert.equal(find(ehr.path), null)
    for (const { patient } of ehr.visits) {
      for (const page of [undefined, 'results'] as const) {
        const path = chartAddress(ehr, patient, page)
        assert.equal(find(path), patient.id)
        const route = readRoute(ehr.routing, ehr.path, new URL(path, base))
        assert.deepEqual(route, { chart: patient.id, page: page ?? 'summary' })
      }
    }
  }
})

test('has no page of a chart that no patient of today has', async () => {
  for (const path of ['/meadow/patients/x', '/summit/chart/test-0042', '/harbor/app/test-0020']) {
    assert.equal((await fetch(base + path)).status, 404)
  }
})

test('serves its script and style, and nothing else', async () => {
  for (const path of ['/sandbox.js', '/sandbox.css', '/ehr-routes.js', '/ehr.css']) {
    assert.equal((await fetch(`${base}${path}`)).status, 200)
  }
  for (const path of ['/package.json', '/src/server.ts', '/..%2fpackage.json']) {
    assert.equal((await fetch(`${base}${path}`)).status, 404)
  }
})

test('the panel of the page calls nothing that only an extension has', async () => {
  const script = await (await fetch(`${base}/sandbox.js`)).text()
  assert.doesNotMatch(script, /\bchrome\.\w/)
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

const call = (method: string, path: string, body: object, type = 'application/json') =>
  fetch(`${base}${path}`, {
    method,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  })

test('accepts a fault of a session as JSON only, against pages of other origins', async () => {
  const fault = { sessionId: 'ses_1', fault: 'wrong-secret' }
  assert.equal((await call('PUT', '/fault', fault, 'text/plain')).status, 415)
  assert.equal((await call('PUT', '/fault', { fault: 'wrong-secret' })).status, 400)
  const switched = await call('PUT', '/fault', fault)
  assert.deepEqual(await switched.json(), { fault: 'wrong-secret' })
  for (const other of [null, 'sign-out', 'no-such-fault', 7]) {
    const off = await call('PUT', '/fault', { sessionId: 'ses_1', fault: other })
    assert.deepEqual(await off.json(), { fault: null })
  }
})

test('registers a pasted Launch URL as JSON only, and returns what is refused', async () => {
  const app = { name: 'Mine', launchUrl: 'http://localhost:3000/launch', redirectUri: 'http://x/' }
  assert.equal((await call('POST', '/apps', app, 'text/plain')).status, 415)
  assert.equal((await call('POST', '/apps', { ...app, name: '' })).status, 400)
  const added = await call('POST', '/apps', app)
  assert.equal(added.status, 201)
  assert.deepEqual(((await added.json()) as AddedApp).environment, { CLIENT_ID: 'cli_1' })
  const refused = await call('POST', '/apps', { ...app, launchUrl: 'ftp://x' })
  assert.equal(refused.status, 400)
  assert.deepEqual(await refused.json(), { message: 'launchUrl: not an address of a page' })
})

test('names the address to open under a wrong host name, and serves nothing else', async (t) => {
  const url = 'http://ehr.localhost:9'
  const other = await startSampleEhr({ ...settings, assets, sandbox, port: 0, url })
  t.after(() => other.stop())
  for (const path of ['/meadow?fault=x', '/sandbox.js', '/app-notices']) {
    const response = await fetch(`http://127.0.0.1:${other.port}${path}`)
    assert.equal(response.status, 421)
    assert.match(await response.text(), /<a href="http:\/\/ehr.localhost:9\//)
  }
})

test('streams the newest notice of each app to a page that opens later', async () => {
  const notice = { appId: 'app_1', problem: '', isNew: true, isDevelopment: false } as const
  ehr.publish({ ...notice, state: 'starting' })
  ehr.publish({ ...notice, state: 'stopped', problem: 'exit code 1' })
  const { body } = await fetch(`${base}/app-notices`)
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.includes('data:')) break
  }
  const [, data = ''] = /^data: (.+)$/m.exec(text) ?? []
  assert.deepEqual(JSON.parse(data), {
    ...notice,
    state: 'stopped',
    problem: 'exit code 1',
    isNew: false,
  })
})

test('keeps user, fault and panel in the address, without default values', () => {
  const state = {
    practice: 'A & B',
    provider: 'a@b.example',
    fault: 'x',
    chart: '/meadow/x',
    panel: 'closed',
  } as const
  assert.deepEqual(readAddress(buildQuery(state)), state)
  const none = { practice: null, provider: null, fault: null, chart: null, panel: 'open' } as const
  assert.equal(buildQuery(none), '')
})

test('starts one run of the fault studio at a time, never for a form of another site', async () => {
  const post = (body: string, type = 'application/json') =>
    fetch(`${base}/fault-runs`, { method: 'POST', headers: { 'content-type': type }, body })
  assert.equal((await post('app=my-app', 'text/plain')).status, 415)
  assert.equal((await post('{"app":"my-app"}')).status, 202)
  assert.equal((await post('{"app":"my-app"}')).status, 409)
  assert.equal((await fetch(`${base}/fault-runs`, { method: 'DELETE' })).status, 200)
  assert.equal(isPlaying, false)
  assert.equal((await fetch(`${base}/fault-runs?app=my-app`)).status, 200)
  assert.equal((await fetch(`${base}/fault-runs?app=no-app`)).status, 404)
})

test('serves the fault studio and its reports under a strict policy [H01]', async () => {
  for (const path of ['/faults', '/faults/my-app', '/faults/my-app/2026-11-21T18-21-00-000Z']) {
    const response = await fetch(base + path)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self'/)
    assert.doesNotMatch(await response.text(), /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  }
})
