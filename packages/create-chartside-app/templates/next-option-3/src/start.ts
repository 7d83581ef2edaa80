// Starts the app and its identity provider, each on its own port, and stops both. Owns the process
// and the environment. With a hosted provider only the app is left.
import { existsSync } from 'node:fs'
import { loadAll } from './environment.ts'
import { startNext } from './next-server.ts'
import { createProvider } from './provider/provider.ts'
import { startServer } from './server.ts'

const envFile = new URL('../.env', import.meta.url)
// A variable that is set already wins over .env; the sandbox sets all of them.
if (existsSync(envFile)) process.loadEnvFile(envFile)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
// A parent process with an IPC channel has ended.
process.once('disconnect', () => process.exit(0))

const { settings, provider } = loadAll()
const { host, publicUrl } = settings
const log = (line: string): void => console.log(line)
const handle = createProvider({ settings, ...provider, log })
await Promise.all([startServer(handle, { host, port: provider.port }), startNext(settings)])
// Last: a process that waits for this line can then use the app.
console.log(`listening on ${publicUrl}`)
