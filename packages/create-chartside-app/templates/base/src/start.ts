// The app as a process: its settings from the environment and .env, and one server. Contains nothing
// of the app itself.
import { runApp } from '@chartside/app-kit/node'
import { parseAppSettings } from '@chartside/app-kit/server'
import { createApp } from './app.ts'
import { startServer } from './server.ts'

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const settings = parseAppSettings(env, '{{slug}}')
  const server = await startServer(createApp(settings, log), settings)
  return { publicUrl: settings.publicUrl, servers: [server] }
})
