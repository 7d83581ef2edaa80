// Starts the app and its identity provider, each on its own port. With a hosted provider only the app is
// left. Plain JavaScript, so that an older Node.js names the version to install.
import '@chartside/app-kit/require-node'
import { fileURLToPath } from 'node:url'
import { runApp, serveNext, serveNode } from '@chartside/app-kit/node'

const { loadAll } = await import('./environment.ts')
const { createProvider } = await import('./provider/provider.ts')

await runApp(new URL('../.env', import.meta.url), async (_env, log) => {
  const { settings, provider } = loadAll()
  const { host, publicUrl } = settings
  const handle = createProvider({ settings, ...provider, log })
  const servers = await Promise.all([
    serveNode(handle, { host, port: provider.port }),
    serveNext(fileURLToPath(new URL('..', import.meta.url)), settings),
  ])
  return { publicUrl, servers }
})
