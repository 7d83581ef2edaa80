// The worker as one function from Request to Response: launch and callback pages, the registered
// token endpoint, the record of who is present, and a status page. Owns routing and headers. Spec
// §4.3, §5.2 (option 2), §5.4, §5.5.
import { createAssets } from '@chartside/app-kit/node'
import {
  type AppSettings,
  buildLaunchPage,
  buildPageHeaders,
  buildPageSettings,
  createAppKit,
  createRouter,
  type Handler,
  type Log,
  readJson,
  requireText,
  respondText,
} from '@chartside/app-kit/server'
import manifest from '../chartside.app.json' with { type: 'json' }
import { PresenceLog } from './presence-log.ts'
import { buildStatusPage } from './status-page.ts'

const sources = { '/app.js': './browser/main.ts', '/app.css': '../public/app.css' }
const assets = createAssets(import.meta.url, { sources })

/** `log` gets one readable line without codes, tokens and secrets. */
export function createApp(settings: AppSettings, log: Log): Handler {
  const { clientId, clientSecret, baseUrl, tokenUrl, publicUrl } = settings
  const allowedOrigins = [publicUrl]
  const kit = createAppKit({ clientId, clientSecret, baseUrl, tokenUrl, allowedOrigins, log })
  const presences = new PresenceLog()
  const page = { name: manifest.name, settings: buildPageSettings(settings) }

  /** Records only what the signature of the ID token proves. */
  const recordPresence = async (request: Request): Promise<Response> => {
    const idToken = requireText(await readJson(request), 'id_token')
    const identity = await kit.verifyIdToken(idToken)
    presences.add(identity)
    const { name, userId, account, ehrType } = identity
    log(`present: ${name ?? userId} of ${account.name} (${ehrType})`)
    return Response.json({ recorded: true })
  }

  /**
   * The SDK comes first: it reads the code from the address, and app.js then removes the code
   * before anything else is fetched (spec §5.2).
   */
  const showCallback = async (): Promise<Response> => {
    const { url, integrity } = await kit.loadSdkManifest()
    const scripts = [{ src: url, integrity }, { src: '/app.js' }]
    return respondText(buildLaunchPage({ ...page, scripts }), 'text/html')
  }

  const routes = {
    'GET /': async () => respondText(buildStatusPage(presences.list()), 'text/html'),
    'GET /launch': async () => respondText(buildLaunchPage(page), 'text/html'),
    'GET /callback': showCallback,
    'GET /app.js': assets.respond,
    'GET /app.css': assets.respond,
    'POST /token': kit.handleTokenRequest,
    'POST /presence': recordPresence,
  }
  const headers = buildPageHeaders(settings)
  // 401 for a bad token, 503 when the service is away: the credentials are fine then.
  return createRouter({ routes, headers, log, notFoundFix: 'Open / for the status page.' })
}
