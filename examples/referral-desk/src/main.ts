// Starts Referral Desk and its identity provider, each on a port of its own. Owns what either knows of
// the other. With a hosted provider only the desk would be yours to run.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { listen, loadSettings } from '@chartside/example-app-shell/process'
import { getRequestListener } from '@hono/node-server'
import { createDesk } from './desk/desk.ts'
import { createProvider } from './provider/provider.ts'

const settings = loadSettings('referral-desk', 4705)
const { clientId, clientSecret, tokenUrl, baseUrl, publicUrl, frameAncestors, log } = settings
const providerPort = Number(process.env.PORT_PROVIDER ?? '4706')
const providerUrl =
  process.env.PUBLIC_URL_PROVIDER ??
  `http://provider.referral-desk.chartside.localhost:${providerPort}`
/** What a hosted provider gives to the desk's server, for its management API. */
const managementToken = randomBytes(32).toString('base64url')

const provider = createProvider({
  // The connection: the client of the app, and where it authorizes and exchanges (spec §5.3).
  clientId,
  clientSecret,
  baseUrl,
  tokenUrl,
  providerUrl,
  deskUrl: publicUrl,
  managementToken,
  log,
})
const desk = createDesk({
  baseUrl,
  publicUrl,
  providerUrl,
  /** The provider as this server reaches it: Node.js does not resolve names under .localhost. */
  providerApi: `http://127.0.0.1:${providerPort}`,
  managementToken,
  frameAncestors,
  log,
})

listen(createServer(getRequestListener(provider.fetch)), {
  port: providerPort,
  publicUrl: providerUrl,
  log,
})
listen(createServer(getRequestListener(desk.fetch)), settings)
