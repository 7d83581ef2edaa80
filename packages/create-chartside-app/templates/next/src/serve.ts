// What the route handlers in app/ export: the app of this process. Next.js may load a module once for
// each route, so the app, whose sessions are in memory, is kept on `globalThis`.
import type { Handler } from '@chartside/app-kit/server'
import { createApp } from './app.ts'
import { loadSettings } from './environment.ts'

declare global {
  var chartsideApp: Handler | undefined
}

export const serve: Handler = (request) => {
  globalThis.chartsideApp ??= createApp(loadSettings(), (line) => console.log(line))
  return globalThis.chartsideApp(request)
}
