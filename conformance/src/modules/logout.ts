// Modules on the logout token that the client's server gets when a session ends. All but the last judge one token: that
// of the first sign-out of the run. OpenID Connect Back-Channel Logout 1.0; contract §12 for the last.
import { decodeJwt, type JWTPayload } from 'jose'
import { obtainTokens } from '../flow.ts'
import { checkSignature, type DecodedToken, decodeIdToken } from '../id-token.ts'
import type { LogoutNotice, LogoutReceiver } from '../logout-receiver.ts'
import type { ConformanceModule } from '../module.ts'
import type { ModuleContext } from '../module-context.ts'
import type { Target } from '../target.ts'

/** A session that ended, as the client's server saw it. */
export interface EndedSession {
  /** The ID token that the client had. */
  readonly idToken: DecodedToken
  /** The notice; undefined when none came in time. */
  readonly notice: LogoutNotice | undefined
  /** The content of the notice; empty when it is no JWT. */
  readonly token: {
    readonly header: Readonly<Record<string, unknown>>
    readonly claims: JWTPayload
  }
}

const SPEC = 'OpenID Connect Back-Channel Logout 1.0'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The service says two seconds; a busy machine has more. */
const FIRST_MS = 15_000
/** The wait for a repeated notice, which comes after five seconds, and a fifth more. */
const AGAIN_MS = 20_000
const MAX_LIFE_SECONDS = 120
const TOLERANCE_SECONDS = 300

function receiverOf(t: ModuleContext): LogoutReceiver {
  return (
    t.target.logoutReceiver ??
    t.skip(
      'The service cannot reach a receiver of this run: it is on another machine, or not ours.',
    )
  )
}

/** A sign-in of its own, a code that its client exchanges, and the sign-out. */
async function endSession(t: ModuleContext, receiver: LogoutReceiver, refuses = false) {
  const agent = await t.target.newUserAgent({ isSeparate: true })
  const idToken = decodeIdToken(t, (await obtainTokens(t, {}, { agent })).idToken)
  const sid = String(idToken.claims.sid)
  if (refuses) receiver.refuseFirst(sid)
  await agent.signOut()
  return { idToken, sid }
}

const ended = new WeakMap<Target, Promise<EndedSession>>()

function endedSession(t: ModuleContext): Promise<EndedSession> {
  const session = ended.get(t.target) ?? endFirst(t)
  ended.set(t.target, session)
  return session
}

async function endFirst(t: ModuleContext): Promise<EndedSession> {
  const receiver = receiverOf(t)
  const { idToken, sid } = await endSession(t, receiver)
  const [notice] = await receiver.waitFor(sid, 1, FIRST_MS)
  return { idToken, notice, token: tokenOf(t, notice) }
}

function tokenOf(t: ModuleContext, notice: LogoutNotice | undefined): EndedSession['token'] {
  if (!notice) return { header: {}, claims: {} }
  const { header, claims } = decodeIdToken(t, notice.logoutToken)
  return { header: { ...header }, claims }
}

interface LogoutRule {
  readonly id: string
  readonly title: string
  readonly section: string
  check(t: ModuleContext, session: EndedSession): Promise<void> | void
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const LOGOUT_RULES: readonly LogoutRule[] = [
  {
    id: 'oidc-backchannel-logout-sent',
    title: 'a sign-out posts a logout token to the client as a form',
    section: '2.5',
    check: (t, { notice }) => {
      t.check(notice !== undefined, 'a notice came within 15 seconds', 'none came')
      t.equal(notice?.method, 'POST', 'the method')
      const isForm = /^application\/x-www-form-urlencoded\b/.test(notice?.contentType ?? '')
      t.check(isForm, 'the body is a form', notice?.contentType)
    },
  },
  {
    id: 'oidc-backchannel-logout-header',
    title: 'a logout token says that it is one, and has the algorithm of the ID token',
    section: '2.4 and 2.6',
    check: (t, { token, idToken }) => {
      t.equal(token.header.typ, 'logout+jwt', 'typ')
      t.equal(token.header.alg, idToken.header.alg, 'alg')
    },
  },
  {
    id: 'oidc-backchannel-logout-signature',
    title: 'a published key verifies a logout token',
    section: '2.6',
    check: (t, { notice }) => checkSignature(t, notice?.logoutToken ?? ''),
  },
  {
    id: 'oidc-backchannel-logout-claims',
    title: 'a logout token is for this client, of this issuer and of now',
    section: '2.4',
    check: (t, { token: { claims } }) => {
      const { aud, exp, iat, iss } = claims
      t.equal(iss, t.target.issuer, 'iss')
      t.check(
        [aud].flat().includes(t.target.client.id),
        'aud names the client',
        JSON.stringify(aud),
      )
      const isNow = Math.abs(Date.now() / 1000 - (iat ?? 0)) < TOLERANCE_SECONDS
      t.check(isNow, 'iat is the present time', `${iat}`)
      t.check(typeof exp === 'number' && exp > (iat ?? 0), 'exp is after iat', `${exp}`)
      const life = (exp ?? 0) - (iat ?? 0)
      t.advise(
        life <= MAX_LIFE_SECONDS,
        'a logout token lives for two minutes at most',
        `${life} s`,
      )
    },
  },
  {
    id: 'oidc-backchannel-logout-event',
    title: 'a logout token has the event of a logout, and an id of its own',
    section: '2.4',
    check: (t, { token: { claims } }) => {
      const { events, jti } = claims as {
        events?: Readonly<Record<string, unknown>>
        jti?: unknown
      }
      const found = JSON.stringify(events)
      const event = events?.[EVENT]
      const isObject = typeof event === 'object' && event !== null && !Array.isArray(event)
      t.check(isObject, `events has ${EVENT}, an object`, found)
      t.check(isText(jti), 'jti is there', JSON.stringify(jti))
    },
  },
  {
    id: 'oidc-backchannel-logout-session',
    title: 'a logout token names the session and the person of the ID token',
    section: '2.4 and 2.6',
    check: (t, { token, idToken }) => {
      t.check(
        isText(idToken.claims.sid),
        'the ID token has a sid',
        JSON.stringify(idToken.claims.sid),
      )
      t.equal(token.claims.sid, idToken.claims.sid, 'sid')
      t.equal(token.claims.sub, idToken.claims.sub, 'sub')
    },
  },
  {
    id: 'oidc-backchannel-logout-no-nonce',
    title: 'a logout token has no nonce, so it cannot pass for an ID token',
    section: '2.4',
    check: (t, { token: { claims } }) =>
      t.check(!('nonce' in claims), 'there is no nonce', JSON.stringify(claims.nonce)),
  },
]

const WHERE = 'Logout notices: backchannelLogoutUri of the app, and what sends them.'

export const LOGOUT_MODULES: readonly ConformanceModule[] = [
  ...LOGOUT_RULES.map(({ id, title, section, check }) => ({
    ...{ id, title, source: `${SPEC}, ${section}`, where: WHERE },
    run: async (t: ModuleContext) => check(t, await endedSession(t)),
  })),
  {
    id: 'logout-notice-repeated',
    title: 'a notice that is not taken comes again, with an id of its own',
    source: `${SPEC}, 2.5 and 2.8; contract §12`,
    where: WHERE,
    only: 'chartside',
    run: async (t) => {
      const receiver = receiverOf(t)
      const { sid } = await endSession(t, receiver, true)
      const notices = await receiver.waitFor(sid, 2, FIRST_MS + AGAIN_MS)
      t.equal(notices.length, 2, 'the number of notices')
      const [first = {}, second = {}] = notices.map(({ logoutToken }) => decodeJwt(logoutToken))
      t.check(first.jti !== second.jti, 'each has a jti of its own', `${second.jti}`)
      t.equal(second.txn, first.txn, 'txn of the second')
    },
  },
]
