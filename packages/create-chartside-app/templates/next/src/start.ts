// The app as a process: its settings from the environment and .env, and Next.js on a port, built when a
// file has changed. Contains nothing of the app itself.
import { fileURLToPath } from 'node:url'
import { runApp, serveNext } from '@chartside/app-kit/node'
import { loadSettings } from './environment.ts'

await runApp(new URL('../.env', import.meta.url), async () => {
  const settings = loadSettings()
  const server = await serveNext(fileURLToPath(new URL('..', import.meta.url)), settings)
  return { publicUrl: settings.publicUrl, servers: [server] }
})
