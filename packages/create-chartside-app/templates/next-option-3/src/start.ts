// The app and its identity provider as one process, each on its own port. With a hosted provider only
// the app is left. Contains nothing of the app itself.
import { fileURLToPath } from 'node:url'
import { runApp, serveNext, serveNode } from '@chartside/app-kit/node'
import { loadAll } from './environment.ts'
import { createProvider } from './provider/provider.ts'

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
