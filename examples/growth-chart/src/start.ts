// Growth Chart as a process: its settings from the environment, and one Express server.
// Contains nothing of the app itself.
import { createServer } from 'node:http'
import { listen, runApp } from '@chartside/app-kit/node'
import { parseAppSettings } from '@chartside/app-kit/server'
import { createApp } from './app.ts'

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const settings = parseAppSettings(env, 'growth-chart')
  const server = await listen(createServer(createApp(settings, log)), settings)
  return { publicUrl: settings.publicUrl, servers: [server] }
})
