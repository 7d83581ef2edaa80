// What every route handler in app/ exports: the app of this process. Next.js may load a module once for
// each route, so the app, whose sessions are in memory, is kept on `globalThis`.
import { createApp, type Handler } from './app.ts'
import { loadSettings } from './environment.ts'

declare global {
  var chartsideApp: Handler | undefined
}

export const serve: Handler = (request) => {
  globalThis.chartsideApp ??= createApp(loadSettings(), (line) => console.log(line))
  return globalThis.chartsideApp(request)
}
