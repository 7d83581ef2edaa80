// Visit Notes as a process: its settings from the environment, and one server.
// Contains nothing of the app itself.
import { runApp } from '@chartside/app-kit/node'
import { parseAppSettings } from '@chartside/app-kit/server'
import { startApp } from './app.ts'

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const settings = parseAppSettings(env, 'visit-notes')
  const servers = [await startApp(settings, log)]
  return { publicUrl: settings.publicUrl, servers }
})
