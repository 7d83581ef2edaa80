// Starts the app: its settings from the environment and .env, and Next.js on a port, built when a file has
// changed. Plain JavaScript, so that an older Node.js names the version to install.
import '@chartside/app-kit/require-node'
import { fileURLToPath } from 'node:url'
import { runApp, serveNext } from '@chartside/app-kit/node'

const { loadSettings } = await import('./environment.ts')

await runApp(new URL('../.env', import.meta.url), async () => {
  const settings = loadSettings()
  const server = await serveNext(fileURLToPath(new URL('..', import.meta.url)), settings)
  return { publicUrl: settings.publicUrl, servers: [server] }
})
