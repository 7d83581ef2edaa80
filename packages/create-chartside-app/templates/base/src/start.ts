// Starts the app as a process: settings from the environment and .env, one server, a clean stop.
// Owns the process and the environment, nothing of the app itself.
import { existsSync } from 'node:fs'
import { createApp } from './app.ts'
import { startServer } from './server.ts'
import { parseSettings } from './settings.ts'

const envFile = new URL('../.env', import.meta.url)
// What the environment says already, as the sandbox does, stands.
if (existsSync(envFile)) process.loadEnvFile(envFile)

const settings = parseSettings(process.env)
const app = createApp(settings, (line) => console.log(line))
const server = await startServer(app, settings)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}
// Whoever started this process with a channel wants it gone with them.
process.once('disconnect', () => process.exit(0))
// Last, so that whoever waits for this line can stop the app cleanly.
console.log(`listening on ${settings.publicUrl}`)
