// Starts Growth Chart as a process: settings from the environment, one HTTP server, a clean stop.
// Owns the process and the environment, nothing of the app itself.
import { createApp } from './app.ts'

const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT = '4707' } = process.env
if (!clientId || !clientSecret) {
  throw new Error('Set CLIENT_ID and CLIENT_SECRET to those of the app registered with Chartside.')
}
const baseUrl = process.env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700'
const publicUrl = process.env.PUBLIC_URL ?? `http://growth-chart.chartside.localhost:${PORT}`
const app = createApp({
  clientId,
  clientSecret,
  baseUrl,
  tokenUrl: process.env.CHARTSIDE_TOKEN_URL ?? `${baseUrl}/app-auth/token`,
  publicUrl,
  frameAncestors: process.env.FRAME_ANCESTORS ?? "'none'",
  log: (line) => console.log(line),
})
const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${publicUrl}`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
}
// Whoever started this process with a channel wants it gone with them.
process.once('disconnect', () => process.exit(0))
