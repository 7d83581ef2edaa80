// How a launch becomes a session on the app's server, for each token option. In every option the
// session begins in a request of its own, which the page sends once the SDK is ready: a launch that
// is opened outside its own panel leaves no cookie and no session. Spec §5.1-§5.4, §5.6; security V20.
import { type AppKit, createAppKit } from './app-kit.ts'
import type { AppSettings, ProviderAppSettings } from './app-settings.ts'
import { requireText } from './fields.ts'
import { createLogoutReceiver } from './logout-receiver.ts'
import { createPendingIdentities } from './pending-identities.ts'
import { createPlatformTokenReader } from './platform-token.ts'
import { Problem } from './problem.ts'
import { readJson } from './read-json.ts'
import type { ReplayStore } from './replay-store.ts'
import type { Log, Routes } from './router.ts'
import type { Sessions } from './sessions.ts'
import type { AppKitOptions } from './settings.ts'
import { fetchUserInfo } from './user-info.ts'

/** The parts of its app that a launch needs. */
export interface LaunchParts<Settings> {
  readonly settings: Settings
  readonly sessions: Pick<Sessions, 'start' | 'endAll'>
  readonly log: Log
  /** Default: in memory of this process. */
  readonly replays?: ReplayStore
}

/**
 * Gives the routes of option 1, where this server exchanges: `POST /api/exchange` answers with the tokens for
 * the page's SDK, and `POST /api/session` verifies the ID token and starts the session. `POST
 * /backchannel-logout` ends the sessions of an EHR session. Nothing is kept in between; the secret never
 * leaves this server. Spec §5.1, §5.4, §5.6.
 * @throws TypeError for an option that `createAppKit` refuses; the routes reject with `Problem`,
 *   `ExchangeError`, `IdTokenError` and `SessionError`
 * @example createWebApp({ …, launch: routeExchange })
 */
export function routeExchange(parts: LaunchParts<AppSettings>): Routes {
  const { publicUrl } = parts.settings
  const kit = createAppKit(kitOptionsOf(parts))
  const redirectUri = `${publicUrl}/callback`
  return {
    'POST /api/exchange': async (request) => {
      const body = await readJson(request)
      const code = requireText(body, 'code')
      const codeVerifier = requireText(body, 'code_verifier')
      const { accessToken, idToken } = await kit.exchange(code, { codeVerifier, redirectUri })
      return Response.json({ access_token: accessToken, id_token: idToken })
    },
    ...routeIdToken(kit, parts),
  }
}

/**
 * Gives the routes of option 2, a registered token endpoint: `POST /token` exchanges the code for the SDK,
 * and `POST /api/session` verifies the ID token that the page presents. `POST /backchannel-logout` ends the
 * sessions of an EHR session. The secret never leaves this server. Spec §4.3, §5.2, §5.4, §5.6.
 * @throws TypeError for an option that `createAppKit` refuses; the routes reject with `Problem`,
 *   `IdTokenError` and `SessionError`
 * @example createWebApp({ …, launch: routeTokenEndpoint })
 */
export function routeTokenEndpoint(parts: LaunchParts<AppSettings>): Routes {
  const { settings, log } = parts
  const kit = createAppKit({
    ...kitOptionsOf(parts),
    ...{ allowedOrigins: [settings.publicUrl], log },
  })
  return { 'POST /token': kit.handleTokenRequest, ...routeIdToken(kit, parts) }
}

function kitOptionsOf({ settings, replays }: LaunchParts<AppSettings>): AppKitOptions {
  const { baseUrl, tokenUrl, clientId, clientSecret, idTokenSignedResponseAlg } = settings
  return {
    ...{ baseUrl, tokenUrl, clientId, clientSecret, idTokenSignedResponseAlg },
    ...(replays ? { replays } : {}),
  }
}

const routeIdToken = (
  kit: Pick<AppKit, 'verifyIdToken' | 'issuer' | 'clientId'>,
  { settings, sessions, log }: LaunchParts<AppSettings>,
): Routes => ({
  'POST /backchannel-logout': createLogoutReceiver({
    ...{ issuer: kit.issuer, clientId: kit.clientId },
    idTokenSignedResponseAlg: settings.idTokenSignedResponseAlg,
    onLogout: ({ sid }) => sessions.endAll(sid),
  }),
  'POST /api/session': async (request) => {
    const body = await readJson(request)
    const idToken = requireText(body, 'id_token')
    const nonceProof = requireText(body, 'nonce_proof')
    const identity = await kit.verifyIdToken(idToken, { nonceProof })
    const session = await sessions.start(identity, request)
    log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
    return session.respond()
  },
})

/** The provider's user id for a ticket. @throws Problem when the ticket is unknown, spent or too old */
export type RedeemTicket = (providerApi: string, ticket: string) => Promise<string>

/**
 * Gives the routes of option 3, where an identity provider has exchanged: `POST /api/exchange` takes the
 * provider's ticket, reads the platform token from its management API and answers with it; the identity then
 * waits a minute, once, for `POST /api/session` of the same browser. Spec §5.3 rules 3 and 4, §5.6; security
 * L03.
 * @throws TypeError for settings that `createPlatformTokenReader` refuses; the routes reject with
 *   `Problem` (`launch_mismatch`, `invalid_request`, `launch_not_pending`), `PlatformTokenError` and
 *   `SessionError`
 * @example createWebApp({ …, launch: (parts) => routeProvider(parts, redeemTicket) })
 */
export function routeProvider(
  { settings, sessions, log }: LaunchParts<ProviderAppSettings>,
  redeemTicket: RedeemTicket,
): Routes {
  const { baseUrl, providerApi, managementToken } = settings
  const platformTokens = createPlatformTokenReader({
    managementUrl: providerApi,
    managementToken,
    connection: 'chartside',
  })
  /** The identities under a secret of the browser that began the launch. */
  const pending = createPendingIdentities()
  return {
    'POST /api/exchange': async (request) => {
      const body = await readJson(request)
      const ticket = requireText(body, 'ticket')
      const launchId = requireText(body, 'launch_id')
      const proof = requireText(body, 'proof')
      const { accessToken } = await platformTokens.read(await redeemTicket(providerApi, ticket))
      const identity = await fetchUserInfo(baseUrl, accessToken)
      // The provider keeps one pair of tokens per user: those of the last sign-in.
      if (identity.launchId !== launchId) throw launchMismatch()
      if (!(await pending.add(proof, identity))) throw proofRefused()
      return Response.json({ access_token: accessToken })
    },

    'POST /api/session': async (request) => {
      const identity = await pending.redeem(requireText(await readJson(request), 'proof'))
      if (!identity) throw launchNotPending()
      const session = await sessions.start(identity, request)
      log(`signed in ${identity.name ?? identity.userId} of ${identity.account.name}`)
      return session.respond()
    },
  }
}

const launchMismatch = (): Problem =>
  new Problem(409, {
    error: 'launch_mismatch',
    cause: 'The provider holds the token of another launch.',
    fix: 'Another tab signed in at the same time. Launch the app again.',
  })

const proofRefused = (): Problem =>
  new Problem(400, {
    error: 'invalid_request',
    cause: 'The proof of the browser is not one of takeLaunch(), or was used.',
    fix: 'Send the proof of takeLaunch(), then launch the app again.',
  })

const launchNotPending = (): Problem =>
  new Problem(401, {
    error: 'launch_not_pending',
    cause: 'No exchange of this browser waits for its session: it waits a minute, once.',
    fix: 'Launch the app again.',
  })
