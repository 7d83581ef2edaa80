// Starts the app as a process: settings from the environment and .env, one server, a clean stop.
// Owns the process and the environment; contains nothing of the app itself.
import { existsSync } from 'node:fs'
import { createApp } from './app.ts'
import { startServer } from './server.ts'
import { parseSettings } from './settings.ts'

const envFile = new URL('../.env', import.meta.url)
// A variable that is set already wins over .env; the sandbox sets all of them.
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
// A parent process with an IPC channel has ended.
process.once('disconnect', () => process.exit(0))
// Last: a process that waits for this line can then stop the app cleanly.
console.log(`listening on ${settings.publicUrl}`)
