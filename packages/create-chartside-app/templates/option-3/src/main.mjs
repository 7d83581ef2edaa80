// Starts the app and its identity provider, each on its own port. With a hosted provider only the app is
// left. Plain JavaScript, so that an older Node.js names the version to install before it reads TypeScript.
import '@chartside/app-kit/require-node'
import { randomBytes } from 'node:crypto'
import { runApp, serveNode } from '@chartside/app-kit/node'
import { parseProviderAppSettings } from '@chartside/app-kit/server'

const { startApp } = await import('./app.ts')
const { createProvider } = await import('./provider/provider.ts')

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const token = randomBytes(32).toString('base64url')
  const { settings, provider } = parseProviderAppSettings(env, '{{slug}}', token)
  const { host, publicUrl } = settings
  const handle = createProvider({ settings, ...provider, log })
  const servers = await Promise.all([
    serveNode(handle, { host, port: provider.port }),
    startApp(settings, log),
  ])
  return { publicUrl, servers }
})
