// What apps and the extension read from addresses, storage and requests: launch parameters, the callback,
// drafts, ID tokens in the page, match patterns, the address of the service. Each answers with a value
// or with its own typed error. Security R05 to R07, X06.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { beginLaunch } from '../../../packages/app-kit/src/browser/begin-launch.ts'
import { readCallback } from '../../../packages/app-kit/src/browser/callback.ts'
import { AppKitError } from '../../../packages/app-kit/src/browser/errors.ts'
import { openPage } from '../../../packages/app-kit/src/browser/page-fixture.ts'
import { createDrafts } from '../../../packages/app-kit/src/server/drafts.ts'
import { matchesPattern, widenToHost } from '../../../packages/extension/src/match-pattern.ts'
import { parseServiceAddress } from '../../../packages/extension/src/settings.ts'
import { readLaunchId } from '../../../packages/sdk/src/token.ts'
import { hostileJson, hostileText, MARK } from '../hostile-values.ts'

const LAUNCH = 'lnch_fuzz'
const OPTIONS = {
  clientId: 'cli_1',
  baseUrl: 'https://chartside.example',
  redirectUri: 'https://notes.example/callback',
}

const queryOf = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')

const launchQuery = fc
  .array(fc.tuple(fc.constantFrom('launch_id', 'iss', 'launch', '__proto__', ''), hostileText), {
    maxLength: 4,
  })
  .map(queryOf)

/** Of a callback: mostly one right and one wrong value. */
const callbackQuery = fc.array(
  fc.tuple(
    fc.constantFrom('code', 'state', 'iss', 'error', 'error_description', 'state', 'code'),
    fc.oneof(
      fc.constantFrom('code_1', '{state}', 'https://chartside.example/app-auth'),
      hostileText,
    ),
  ),
  { maxLength: 6 },
)

/** Throws only what has a code, a cause and a fix. */
function orTyped<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    assert.ok(error instanceof AppKitError, String(error))
    return undefined
  }
}

export const pageProperties = {
  launchParameters: () =>
    fc.asyncProperty(launchQuery, async (query) => {
      const page = openPage(`https://notes.example/launch?${query}`)
      await beginLaunch(OPTIONS, page).catch((error: unknown) => {
        assert.ok(error instanceof AppKitError, String(error))
      })
      for (const to of page.navigations) {
        const { origin, pathname, searchParams } = new URL(to)
        assert.equal(`${origin}${pathname}`, 'https://chartside.example/app-auth/authorize')
        assert.equal(searchParams.getAll('state').length, 1)
        assert.equal(searchParams.get('redirect_uri'), OPTIONS.redirectUri)
        assert.ok(!searchParams.get('launch')?.includes(':'))
      }
      return true
    }),
  callbackParameters: () =>
    fc.asyncProperty(
      callbackQuery,
      fc.oneof(fc.constant(undefined), hostileJson),
      async (fields, stored) => {
        const before = openPage(`https://notes.example/launch?launch_id=${LAUNCH}`)
        await beginLaunch(OPTIONS, before)
        const state = new URL(before.navigations[0] ?? '').searchParams.get('state') ?? ''
        if (stored !== undefined)
          before.stored.set(`chartside:launch:${LAUNCH}`, JSON.stringify(stored) ?? '')
        const sent = fields.map(([name, value]) => [name, value.replace('{state}', state)] as const)
        const page = openPage(`https://notes.example/callback?${queryOf(sent)}`, before.stored)
        const callback = orTyped(() => readCallback({}, page))
        const ownState = sent.filter(([name]) => name === 'state')
        if (callback) {
          assert.deepEqual(
            ownState,
            [['state', state]],
            'a callback with another state was accepted',
          )
          assert.equal(callback.launchId, LAUNCH)
          assert.ok(stored === undefined, 'a state that this tab did not store was accepted')
        }
        assert.ok(!page.location.search.includes('code='), 'the code stays in the address')
        return true
      },
    ),
  drafts: () =>
    fc.asyncProperty(
      hostileText,
      hostileText,
      hostileJson,
      fc.boolean(),
      async (name, text, odd, isJson) => {
        const user = { current: 'a' }
        const drafts = createDrafts({
          sessions: {
            authenticate: async () => ({ userId: user.current, account: { id: 'acc_1' } }) as never,
          },
        })
        const body = isJson
          ? JSON.stringify({ name, text, written_at: 1 })
          : (JSON.stringify(odd) ?? text)
        const url = `https://notes.example/api/drafts?name=${encodeURIComponent(name.toWellFormed())}`
        const headers = { 'content-type': 'application/json' }
        const saved = await drafts.save(new Request(url, { method: 'PUT', body, headers }))
        assert.ok([200, 400].includes(saved.status), String(saved.status))
        const loaded = await drafts.load(new Request(url))
        assert.ok([200, 400].includes(loaded.status))
        if (saved.status === 200 && isJson) assert.deepEqual(await loaded.json(), { text })
        user.current = 'b'
        const foreign = await drafts.load(new Request(url))
        if (foreign.status === 200) assert.deepEqual(await foreign.json(), { text: '' })
        return true
      },
    ),
  idTokenInPage: () =>
    fc.property(
      fc.oneof(
        hostileText,
        hostileJson.map((odd) => `x.${base64url(JSON.stringify(odd) ?? '')}.y`),
      ),
      (token) => {
        const launchId = readLaunchId(token)
        assert.ok(launchId === undefined || token.includes('.'))
        return true
      },
    ),
  matchPatterns: () =>
    fc.property(
      fc.oneof(
        hostileText,
        fc.constantFrom('https://*.ehr.example/*', '*://ehr.example:*/a*b*', 'https://*/'),
      ),
      fc.oneof(hostileText, fc.constantFrom('https://a.ehr.example/x', 'http://ehr.example:80/ab')),
      (pattern, address) => {
        const isMatch = matchesPattern(pattern, address)
        const widened = widenToHost(pattern)
        if (isMatch && widened)
          assert.ok(matchesPattern(widened, address), 'the wider pattern matches less')
        assert.equal(matchesPattern('*://*/*', address), false, 'a pattern without host')
        return true
      },
    ),
  serviceAddress: () =>
    fc.property(
      fc.oneof(
        hostileText,
        hostileText.map((text) => `https://${text}`),
      ),
      fc.boolean(),
      (text, isDevelopment) => {
        const parsed = parseServiceAddress(text, isDevelopment)
        if ('problem' in parsed) assert.ok(!parsed.problem.includes(MARK))
        else {
          const url = new URL(parsed.service)
          assert.ok(url.protocol === 'https:' || isDevelopment)
          assert.equal(`${url.username}${url.password}${url.search}${url.hash}`, '')
        }
        return true
      },
    ),
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
