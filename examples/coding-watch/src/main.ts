// Starts Coding Watch as a process: settings from the environment, one HTTP server, a clean stop.
// Owns the process, nothing of the app itself. `npm start` at the root starts this file for you.
import { startCodingWatch } from './server.ts'
import { parseSettings } from './settings.ts'

const app = await startCodingWatch({
  settings: parseSettings(process.env),
  log: (line) => process.stdout.write(`${line}\n`),
})
process.stdout.write(`listening on ${app.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void app.stop().then(() => process.exit(0)))
}
// Whoever started this process with a channel wants it gone with them.
process.once('disconnect', () => process.exit(0))
