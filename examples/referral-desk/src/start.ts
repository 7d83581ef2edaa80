// Starts the app and its identity provider, each on its own port, and stops both. Owns the process
// and the environment. With a hosted provider only the app is left.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createApp } from './app.ts'
import { createProvider } from './provider/provider.ts'
import { startServer } from './server.ts'
import { parseSettings } from './settings.ts'

const envFile = new URL('../.env', import.meta.url)
// A variable that is set already wins over .env; the sandbox sets all of them.
if (existsSync(envFile)) process.loadEnvFile(envFile)

const { settings, provider } = parseSettings(process.env, randomBytes(32).toString('base64url'))
const { host, publicUrl } = settings
const log = (line: string): void => console.log(line)
const servers = await Promise.all([
  startServer(createProvider({ settings, ...provider, log }), { host, port: provider.port }),
  startServer(createApp(settings, log), settings),
])
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const server of servers) server.closeAllConnections()
    process.exit(0)
  })
}
// A parent process with an IPC channel has ended.
process.once('disconnect', () => process.exit(0))
// Last: a process that waits for this line can then stop the app cleanly.
console.log(`listening on ${publicUrl}`)
