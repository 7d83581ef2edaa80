// Starts the app as a process: settings from the environment and .env, one server, a clean stop.
// Owns the process and the environment; contains nothing of the app itself.
import { existsSync } from 'node:fs'
import { loadSettings } from './environment.ts'
import { startNext } from './next-server.ts'

const envFile = new URL('../.env', import.meta.url)
// A variable that is set already wins over .env; the sandbox sets all of them.
if (existsSync(envFile)) process.loadEnvFile(envFile)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
// A parent process with an IPC channel has ended.
process.once('disconnect', () => process.exit(0))

const settings = loadSettings()
await startNext(settings)
// Last: a process that waits for this line can then use the app.
console.log(`listening on ${settings.publicUrl}`)
