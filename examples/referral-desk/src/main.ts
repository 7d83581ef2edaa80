// Starts Referral Desk and its identity provider, each on a port of its own, and stops both. Owns the
// process and the environment. With a hosted provider only the desk would be yours to run.
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { createDesk } from './desk/desk.ts'
import { createProvider } from './provider/provider.ts'

const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT = '4705' } = process.env
if (!clientId || !clientSecret) {
  throw new Error('Set CLIENT_ID and CLIENT_SECRET to those of the app registered with Chartside.')
}
const {
  PORT_PROVIDER: providerPort = '4706',
  CHARTSIDE_BASE_URL,
  CHARTSIDE_TOKEN_URL,
} = process.env
const baseUrl = CHARTSIDE_BASE_URL ?? 'http://localhost:4700'
const deskUrl = process.env.PUBLIC_URL ?? `http://referral-desk.chartside.localhost:${PORT}`
const providerUrl =
  process.env.PUBLIC_URL_PROVIDER ??
  `http://provider.referral-desk.chartside.localhost:${providerPort}`
/** What a hosted provider gives to the desk's server, for its management API. */
const managementToken = randomBytes(32).toString('base64url')
const log = (line: string): void => console.log(line)

const provider = createProvider({
  // The connection: the client of the app, and where it authorizes and exchanges (spec §5.3).
  clientId,
  clientSecret,
  baseUrl,
  tokenUrl: CHARTSIDE_TOKEN_URL ?? `${baseUrl}/app-auth/token`,
  providerUrl,
  deskUrl,
  managementToken,
  log,
})
const desk = createDesk({
  baseUrl,
  publicUrl: deskUrl,
  providerUrl,
  /** The provider as this server reaches it: Node.js does not resolve names under .localhost. */
  providerApi: `http://127.0.0.1:${providerPort}`,
  managementToken,
  frameAncestors: (process.env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
  log,
})

const hostname = '127.0.0.1'
const servers = [
  serve({ fetch: provider.fetch, port: Number(providerPort), hostname }),
  serve({ fetch: desk.fetch, port: Number(PORT), hostname }, () => log(`listening on ${deskUrl}`)),
]
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
// Whoever started this process with a channel wants it gone with them.
process.once('disconnect', () => process.exit(0))
for (const server of servers) {
  server.on('error', (error) => {
    throw error
  })
}
