// The app and its identity provider as one process, each on its own port. With a hosted provider only
// the app is left. Contains nothing of the app itself.
import { randomBytes } from 'node:crypto'
import { runApp, serveNode } from '@chartside/app-kit/node'
import { parseProviderAppSettings } from '@chartside/app-kit/server'
import { createApp } from './app.ts'
import { createProvider } from './provider/provider.ts'
import { startServer } from './server.ts'

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const token = randomBytes(32).toString('base64url')
  const { settings, provider } = parseProviderAppSettings(env, '{{slug}}', token)
  const { host, publicUrl } = settings
  const handle = createProvider({ settings, ...provider, log })
  const servers = await Promise.all([
    serveNode(handle, { host, port: provider.port }),
    startServer(createApp(settings, log), settings),
  ])
  return { publicUrl, servers }
})
