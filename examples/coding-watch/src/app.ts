// The worker as one function from Request to Response: launch and callback pages, the registered
// token endpoint, the record of who is present, and a status page. Owns routing and headers. Spec
// §4.3, §5.2 (option 2), §5.4, §5.5.
import {
  buildContentSecurityPolicy,
  buildSecurityHeaders,
  createAppKit,
  readJson,
} from '@chartside/app-kit/server'
import { createAssets } from './assets.ts'
import { requireText } from './fields.ts'
import { launchPage, respondText } from './pages.ts'
import { PresenceLog } from './presence-log.ts'
import { explain, Problem } from './problem.ts'
import { buildPageSettings, type Settings } from './settings.ts'
import { buildStatusPage } from './status-page.ts'

export type Handler = (request: Request) => Promise<Response>

const assets = createAssets({ '/app.js': './browser/main.ts', '/app.css': '../public/app.css' })

/** `log` gets one readable line without codes, tokens and secrets. */
export function createApp(settings: Settings, log: (line: string) => void): Handler {
  const { clientId, clientSecret, baseUrl, tokenUrl, publicUrl, frameAncestors } = settings
  const allowedOrigins = [publicUrl]
  const kit = createAppKit({ clientId, clientSecret, baseUrl, tokenUrl, allowedOrigins, log })
  const presences = new PresenceLog()
  const page = buildPageSettings(settings)

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
    return respondText(launchPage(page, [{ src: url, integrity }, { src: '/app.js' }]), 'text/html')
  }

  const routes: Readonly<Record<string, Handler>> = {
    'GET /': async () => respondText(buildStatusPage(presences.list()), 'text/html'),
    'GET /launch': async () => respondText(launchPage(page), 'text/html'),
    'GET /callback': showCallback,
    'GET /app.js': assets.respond,
    'GET /app.css': assets.respond,
    'POST /token': kit.handleTokenRequest,
    'POST /presence': recordPresence,
  }
  const headers = buildSecurityHeaders(
    buildContentSecurityPolicy({ sdkUrl: baseUrl, hostOrigins: frameAncestors }),
  )

  return async (request) => {
    const handle = routes[`${request.method} ${new URL(request.url).pathname}`] ?? refuse
    const response = await handle(request).catch((error: unknown) => {
      // 401 for a bad token, 503 when the service is away: the credentials are fine then.
      const { status, problem } = explain(error)
      log(`failed: ${problem.error}`)
      return Response.json(problem, { status })
    })
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
}

async function refuse(): Promise<Response> {
  throw new Problem(404, {
    error: 'not_found',
    cause: 'There is nothing at this address.',
    fix: 'Open / for the status page.',
  })
}
