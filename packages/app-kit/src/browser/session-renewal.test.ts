// Both halves of the app's own session with the cookies of one browser: doubled effects, a reload
// during a renewal, two frames. Opens no socket. Spec §5.6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIdentity } from '../server/session-fixture.ts'
import { createSessions } from '../server/sessions.ts'
import { openPage, type PageFixture } from './page-fixture.ts'
import { createSession } from './session.ts'

const APP = 'https://app.example'

/** An app's server and one browser's cookies; `loseAnswer` drops the next answer with its cookie. */
function openBrowser() {
  const sessions = createSessions()
  const cookies = new Map<string, string>()
  let isLost = false
  /** The answer to a renewal arrives once this has resolved. */
  let answerGate: Promise<void> = Promise.resolve()
  /** The server treats all bearers as expired. */
  let areBearersExpired = false

  const route = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/session/renew') return sessions.renew(request)
    if (request.method === 'DELETE') return sessions.end(request)
    if (pathname === '/api/session') {
      const { launch } = (await request.json()) as { launch: string }
      return (await sessions.start(buildIdentity(launch), request)).respond()
    }
    const known = areBearersExpired ? undefined : await sessions.authenticate(request)
    return known ? Response.json(known.launchId) : Response.json({}, { status: 401 })
  }
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('origin', APP)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await route(new Request(url, { method: 'GET', ...pick(init), headers }))
    if (url.endsWith('/renew')) await answerGate
    if (isLost) {
      isLost = false
      throw new TypeError('aborted by a reload')
    }
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return response
  }
  return {
    open: (page: PageFixture) => createSession({ fetch: send as typeof fetch }, page),
    loseAnswer: () => {
      isLost = true
    },
    expireBearers: () => {
      areBearersExpired = true
    },
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      answerGate = promise
      return resolve
    },
  }
}

/** What Node's Request takes of what the page sends. */
const pick = ({ method, body }: RequestInit): RequestInit => ({
  ...(method ? { method } : {}),
  ...(body ? { body } : {}),
})

const openFrame = () => openPage(`${APP}/callback`)
const reload = ({ history }: PageFixture) => openPage(`${APP}/callback`, new Map(), history.state)
const whoIs = (session: ReturnType<typeof createSession>) => session.request('GET', '/api/me')

test('resumes twice after a reload, for a doubled effect', async () => {
  const { open } = openBrowser()
  const page = openFrame()
  await open(page).start({ launch: 'lnch_1' })
  const reloaded = reload(page)
  const [one, two] = [open(reloaded), open(reloaded)]
  assert.deepEqual(await Promise.all([one.resume(), two.resume()]), [true, true])
  assert.deepEqual(await Promise.all([whoIs(one), whoIs(two)]), ['lnch_1', 'lnch_1'])
})

test('renews in a tab and its duplicate at the same time', async () => {
  const { open } = openBrowser()
  const page = openFrame()
  await open(page).start({ launch: 'lnch_1' })
  const tabs = [open(reload(page)), open(reload(page))]
  assert.deepEqual(await Promise.all(tabs.map((tab) => tab.resume())), [true, true])
  assert.deepEqual(await Promise.all(tabs.map(whoIs)), ['lnch_1', 'lnch_1'])
})

test('keeps the session when a reload loses the answer of a renewal', async () => {
  const { open, loseAnswer } = openBrowser()
  const page = openFrame()
  await open(page).start({ launch: 'lnch_1' })
  loseAnswer()
  await assert.rejects(open(reload(page)).resume(), { code: 'server_unreachable' })
  const session = open(reload(page))
  assert.equal(await session.resume(), true)
  assert.equal(await whoIs(session), 'lnch_1')
  assert.equal(await session.resume(), true)
})

test('keeps the sessions of two frames apart through reloads', async () => {
  const { open } = openBrowser()
  const frames = [openFrame(), openFrame()]
  await Promise.all(frames.map((page, n) => open(page).start({ launch: `lnch_${n}` })))
  const reloaded = frames.map((page) => open(reload(page)))
  assert.deepEqual(await Promise.all(reloaded.map((session) => session.resume())), [true, true])
  assert.deepEqual(await Promise.all(reloaded.map(whoIs)), ['lnch_0', 'lnch_1'])
})

test('ends a session for good while it resumes [H05]', async () => {
  const { open, holdAnswers } = openBrowser()
  const page = openFrame()
  await open(page).start({ launch: 'lnch_1' })
  const reloaded = reload(page)
  const session = open(reloaded)
  const releaseAnswers = holdAnswers()
  const resumed = session.resume()
  await session.end()
  releaseAnswers()
  assert.equal(await resumed, false)
  await assert.rejects(whoIs(session), { code: 'session_ended' })
  assert.equal(await open(reload(page)).resume(), false)
  assert.equal(await open(reload(reloaded)).resume(), false)
})

test('ends a session for good while the answer of a renewal is under way', async () => {
  const { open, holdAnswers, expireBearers } = openBrowser()
  const page = openFrame()
  const session = open(page)
  await session.start({ launch: 'lnch_1' })
  expireBearers()
  const releaseAnswers = holdAnswers()
  const asked = whoIs(session)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await session.end()
  releaseAnswers()
  await assert.rejects(asked, { code: 'session_ended' })
  assert.equal(await session.resume(), false)
  assert.equal(await open(reload(page)).resume(), false)
})
