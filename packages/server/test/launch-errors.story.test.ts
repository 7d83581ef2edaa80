// Every way in which a launch can fail, provoked: each reason and each OAuth error code is reached, leaves as
// its table says (kernel/reasons.ts); a new reason does not compile before. OAuth errors have a row in docs/build/errors.md.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { DatabaseUnavailable } from '../src/db/database.ts'
import type { Statement } from '../src/db/sql.ts'
import type { OAuthErrorCode } from '../src/kernel/errors.ts'
import { REASONS, type Reason } from '../src/kernel/reasons.ts'
import { refusedAssertions } from './refused-assertions.ts'
import {
  authorize,
  authorizeParameters,
  exchange,
  freshCode,
  type RegisteredApp,
  type Story,
  signIn,
  startStory,
} from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
let other: RegisteredApp
before(async () => {
  story = await startStory()
  other = await story.registerApp('other')
})
after(() => story.close())

const VERIFIER = 'v'.repeat(43)
const code_challenge = createHash('sha256').update(VERIFIER).digest('base64url')
const PKCE = { code_challenge, code_challenge_method: 'S256' }

/** Goes to authorize with a launch. Gives the error code that comes back. */
async function refusedAuthorize(
  launchId: string,
  changes: Record<string, string | undefined> = {},
  app?: RegisteredApp,
): Promise<string | null> {
  return (await authorize(story, launchId, changes, app)).searchParams.get('error')
}

async function refusedHere(changes: object, path = '/app-auth/authorize'): Promise<string> {
  const parameters = authorizeParameters(story.app, (await freshLaunch()).launchId, { ...changes })
  const url = `${path}?${parameters}`
  const answer = await story.request({ url, headers: { accept: 'text/html' } })
  assert.equal(answer.headers.location, undefined)
  return /^code: (\w+)/m.exec(answer.body)?.[1] ?? ''
}

type SentAs = [app?: RegisteredApp, headers?: Record<string, string>]
const refusedExchange = async (code: string, changes: object = {}, ...sentAs: SentAs) =>
  String((await exchange(story, code, { ...changes }, ...sentAs)).json().error)

const freshLaunch = async (app = story.app, session = story.openSession()) => {
  return { sessionId: await session, ...(await story.launch({ app, sessionId: await session })) }
}

async function patchApp(fields: object): Promise<void> {
  const { statusCode } = await story.api('PATCH', `/api/apps/${story.app.id}`, fields)
  assert.equal(statusCode, 200)
}

async function makeSecret(then: 'retire' | 'expire'): Promise<{ secret: string }> {
  const url = `/api/apps/${story.app.id}/secrets`
  const expiresAt = new Date(story.service.clock() + 1000).toISOString()
  const made = (await story.api('POST', url, then === 'expire' ? { expiresAt } : {})).json()
  if (then === 'expire') story.service.clock.advance(2)
  else assert.equal((await story.api('DELETE', `${url}/${made.id}`)).statusCode, 204)
  return made
}

const withSecret = async (secret: string) =>
  refusedExchange(await freshCode(story), { client_secret: secret })

/** The host reports a failed handshake. Gives the code that the timeline shows. */
async function reportFailure(): Promise<string> {
  const { id } = await freshLaunch()
  const body = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT' }
  await story.api('POST', `/api/launches/${id}/steps`, body)
  return failureOf(id, 'host_reported')
}

/** The code of the failed step of the launch. */
async function failureOf(id: string, expected: Reason): Promise<string> {
  const { steps } = (await story.api('GET', `/api/launches/${id}`)).json()
  const isFailed = ({ outcome }: { outcome: string }) => outcome === 'failed'
  const { reason, code } = steps.find(isFailed)
  assert.equal(reason, expected)
  return code
}

/** Its page is at a name that does not exist. Gives the code that the timeline shows. */
async function diagnoseSilence(): Promise<string> {
  const { id } = await freshLaunch()
  const answer = await story.api('POST', `/api/launches/${id}/diagnosis`, {})
  assert.equal(answer.json().finding.code, 'no_public_address', answer.body)
  return failureOf(id, 'page_not_opened')
}

/** The launch is over between the moment it is looked at and the moment its code is kept. */
async function loseRace(): Promise<string | null> {
  const { launchId, sessionId } = await freshLaunch()
  const { db } = story.service.service
  const { write } = db
  let isOver = false
  Object.assign(db, {
    write: async (...statements: Statement[]) => {
      // The service writes other things meanwhile, by itself.
      if (!isOver && statements.some(({ sql }) => /UPDATE launches SET authorized_at/.test(sql))) {
        isOver = true
        await story.api('DELETE', `/api/sessions/${sessionId}`)
      }
      return write(...statements)
    },
  })
  return refusedAuthorize(launchId).finally(() => Object.assign(db, { write }))
}

async function signOutAndAuthorize(changes: Record<string, string> = {}) {
  const token = await signIn(story.service, ADMIN)
  const headers = { authorization: `Bearer ${token}` }
  const post = async (url: string, payload: object) =>
    (await story.request({ method: 'POST', url, headers, payload })).json()
  const opening = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const { id } = await post('/api/sessions', opening)
  const body = { appId: story.app.id, kind: 'ui' }
  const { launchId } = await post(`/api/sessions/${id}/launches`, body)
  await story.request({ method: 'POST', url: '/auth/sign-out', headers })
  return refusedAuthorize(launchId, changes)
}

async function inStaging(): Promise<string | null> {
  const staging = await startStory({ CHARTSIDE_ENVIRONMENT: 'staging' })
  try {
    const { launchId } = await staging.launch()
    const answer = await authorize(staging, launchId)
    assert.match(staging.service.logText(), /"reason":"app_without_staging_access"/)
    return answer.searchParams.get('error')
  } finally {
    await staging.close()
  }
}

/** Each gives the code that the app sees. */
const PROVOKED: Readonly<Record<Reason, () => Promise<string | null>>> = {
  authorize_address_wrong: () => refusedHere({}, '/app-auth/authorize/'),
  launch_missing: () => refusedAuthorize('x', { launch: undefined }),
  launch_in_launch_id: async () => {
    const { launchId } = await freshLaunch()
    return refusedAuthorize(launchId, { launch: undefined, launch_id: launchId })
  },
  launch_unknown: () => refusedAuthorize(`lnch_${'0'.repeat(60)}`),
  launch_of_another_app: async () => refusedAuthorize((await freshLaunch(other)).launchId),
  launch_expired: async () => {
    const { launchId } = await freshLaunch()
    story.service.clock.advance(301)
    return refusedAuthorize(launchId)
  },
  launch_used: async () => {
    const { launchId } = await freshLaunch()
    const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
    assert.equal((await exchange(story, code)).statusCode, 200)
    return refusedAuthorize(launchId)
  },
  launch_invalidated: async () => {
    const { launchId } = await freshLaunch()
    const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
    await exchange(story, code, { redirect_uri: 'https://elsewhere.example/' })
    return refusedAuthorize(launchId)
  },
  launch_lost_race: loseRace,
  launch_authorized_too_often: async () => {
    const { launchId } = await freshLaunch()
    for (let i = 0; i < 20; i++) assert.equal(await refusedAuthorize(launchId), null)
    return refusedAuthorize(launchId)
  },
  launch_ended: async () => {
    const { launchId, sessionId } = await freshLaunch()
    await story.api('DELETE', `/api/sessions/${sessionId}`)
    return refusedAuthorize(launchId)
  },
  user_signed_out: () => signOutAndAuthorize(),
  app_disabled: async () => {
    const { launchId } = await freshLaunch()
    await patchApp({ enabled: false })
    return refusedAuthorize(launchId).finally(() => patchApp({ enabled: true }))
  },
  app_without_staging_access: inStaging,
  pkce_required: async () => {
    await patchApp({ requirePkce: true })
    return refusedAuthorize((await freshLaunch()).launchId).finally(() =>
      patchApp({ requirePkce: false }),
    )
  },
  parameters_missing: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { state: undefined }),
  request_malformed: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { code_challenge: 'x' }),
  redirect_uri_unregistered: () => refusedHere({ redirect_uri: 'https://elsewhere.example/' }),
  client_id_is_app_id: () => refusedHere({ client_id: story.app.id }),
  prompt_not_possible: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { prompt: 'login' }),
  sign_in_too_old: async () => refusedAuthorize((await freshLaunch()).launchId, { max_age: '0' }),
  client_unknown: async () => {
    const unknown = { ...story.app, clientId: `cli_${'0'.repeat(32)}` }
    return refusedExchange(await freshCode(story), {}, unknown)
  },
  secret_wrong: () => withSecret(story.app.secret.slice(0, -4)),
  secret_retired: async () => withSecret((await makeSecret('retire')).secret),
  secret_expired: async () => withSecret((await makeSecret('expire')).secret),
  secret_of_another_app: () => withSecret(other.secret),
  ...refusedAssertions(() => story),
  code_unknown: () => refusedExchange(`code_${'0'.repeat(60)}`),
  code_expired: async () => {
    const code = await freshCode(story)
    story.service.clock.advance(61)
    return refusedExchange(code)
  },
  exchange_from_page: async () =>
    refusedExchange(await freshCode(story), {}, story.app, { origin: 'https://app.example' }),
  exchange_malformed: async () => refusedExchange(await freshCode(story), { grant_type: null }),
  code_replayed: async () => {
    const code = await freshCode(story)
    await exchange(story, code)
    return refusedExchange(code)
  },
  code_invalidated: async () => {
    const code = await freshCode(story)
    await exchange(story, code, { redirect_uri: 'https://elsewhere.example/' })
    return refusedExchange(code)
  },
  client_mismatch: async () => refusedExchange(await freshCode(story), {}, other),
  redirect_uri_mismatch: async () =>
    refusedExchange(await freshCode(story), { redirect_uri: 'https://elsewhere.example/' }),
  verifier_wrong: async () =>
    refusedExchange(await freshCode(story, PKCE), { code_verifier: 'w'.repeat(43) }),
  verifier_missing: async () => refusedExchange(await freshCode(story, PKCE)),
  verifier_unexpected: async () =>
    refusedExchange(await freshCode(story), { code_verifier: VERIFIER }),
  page_not_opened: diagnoseSilence,
  host_reported: reportFailure,
}

/** Their provocation looks for them itself. */
const SEEN_ELSEWHERE = new Set<Reason>([
  'app_without_staging_access',
  'host_reported',
  'page_not_opened',
])

for (const [reason, provoke] of Object.entries(PROVOKED) as [Reason, () => Promise<string>][]) {
  test(`${reason} is reached with its code, and is written down for the app’s owner`, async () => {
    const before = story.service.logText().length
    const code = await provoke()
    if (!SEEN_ELSEWHERE.has(reason)) {
      const said = story.service.logText().slice(before)
      assert.match(said, new RegExp(`"reason":"${reason}"`))
    }
    if (REASONS[reason].code !== undefined) assert.equal(code, REASONS[reason].code)
  })
}

async function exchangeWhileWritesFail(error: Error): Promise<string> {
  const { db } = story.service.service
  const { write } = db
  const code = await freshCode(story)
  Object.assign(db, { write: () => Promise.reject(error) })
  return refusedExchange(code).finally(() => Object.assign(db, { write }))
}

const page = readFileSync(new URL('../../../docs/build/errors.md', import.meta.url), 'utf8')

/** Codes that no reason above leaves as. */
const OTHER_CODES: Readonly<Partial<Record<OAuthErrorCode, () => Promise<string | null>>>> = {
  invalid_scope: async () => refusedAuthorize((await freshLaunch()).launchId, { scope: 'openid' }),
  unsupported_response_type: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { response_type: 'token' }),
  request_not_supported: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { request: 'x' }),
  request_uri_not_supported: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { request_uri: 'https://x.example/' }),
  login_required: () => signOutAndAuthorize({ prompt: 'none' }),
  consent_required: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { prompt: 'consent' }),
  account_selection_required: async () =>
    refusedAuthorize((await freshLaunch()).launchId, { prompt: 'select_account' }),
  unsupported_grant_type: () => refusedExchange('code_x', { grant_type: 'refresh_token' }),
  invalid_token: async () => {
    const headers = { authorization: `Bearer at_${'0'.repeat(60)}` }
    return (await story.request({ url: '/app-auth/userinfo', headers })).json().error
  },
  temporarily_unavailable: () =>
    exchangeWhileWritesFail(new DatabaseUnavailable(new Error('away'))),
  server_error: () => exchangeWhileWritesFail(new Error('a mistake of ours')),
}

for (const [code, provoke] of Object.entries(OTHER_CODES)) {
  test(`the OAuth error ${code} is reached and has its row`, async () => {
    assert.equal(await provoke(), code)
    assert.match(page, new RegExp(`^\\| \`${code}\` \\|`, 'm'))
  })
}

test('every OAuth error code has its row', () => {
  const source = readFileSync(new URL('../src/kernel/errors.ts', import.meta.url), 'utf8')
  const [, union = ''] = /export type OAuthErrorCode =([\s\S]*?)\n\n/.exec(source) ?? []
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => String(code))
  assert.ok(codes.length > 10)
  for (const code of [...codes, 'slow_down', 'region_not_allowed']) {
    assert.match(page, new RegExp(`^\\| \`${code}\` \\|`, 'm'), code)
  }
})
