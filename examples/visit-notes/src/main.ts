// Starts Visit Notes as a process: settings from the environment, one HTTP server, a clean stop.
// Owns the process, nothing of the app itself. `npm start` at the root starts this file for you.
import { createApp } from './app.ts'
import { parseSettings } from './settings.ts'

const settings = parseSettings(process.env)
const app = createApp(settings, (line) => console.log(line))
const server = app.listen(settings.port, '127.0.0.1', () => {
  console.log(`listening on ${settings.publicUrl}`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}
// Whoever started this process with a channel wants it gone with them.
process.once('disconnect', () => process.exit(0))
