// Referral Desk as a process: its settings from the environment, and the app and its identity provider of development, each on its own port.
// Contains nothing of the app itself.
import { randomBytes } from 'node:crypto'
import { runApp, serveNode } from '@chartside/app-kit/node'
import { parseProviderAppSettings } from '@chartside/app-kit/server'
import { startApp } from './app.ts'
import { createProvider } from './provider/provider.ts'

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const secret = randomBytes(32).toString('base64url')
  const { settings, provider } = parseProviderAppSettings(env, 'referral-desk', secret)
  const address = { host: settings.host, port: provider.port }
  const servers = await Promise.all([
    startApp(settings, log),
    serveNode(createProvider({ settings, ...provider, log }), address),
  ])
  return { publicUrl: settings.publicUrl, servers }
})
