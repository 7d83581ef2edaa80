// Starts the app: its settings from the environment and .env, and one server. Plain JavaScript, so that an
// older Node.js names the version to install before it reads TypeScript.
import '@chartside/app-kit/require-node'
import { runApp } from '@chartside/app-kit/node'
import { parseAppSettings } from '@chartside/app-kit/server'

const { startApp } = await import('./app.ts')

await runApp(new URL('../.env', import.meta.url), async (env, log) => {
  const settings = parseAppSettings(env, '{{slug}}')
  return { publicUrl: settings.publicUrl, servers: [await startApp(settings, log)] }
})
