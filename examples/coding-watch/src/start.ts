// Coding Watch as a process: its settings from the environment, and one server of node:http.
// Contains nothing of the app itself.
import { runApp, serveNode } from '@chartside/app-kit/node'
import { parseAppSettings } from '@chartside/app-kit/server'
import { createApp } from './app.ts'

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const settings = parseAppSettings(env, 'coding-watch')
  const server = await serveNode(createApp(settings, log), settings)
  return { publicUrl: settings.publicUrl, servers: [server] }
})
