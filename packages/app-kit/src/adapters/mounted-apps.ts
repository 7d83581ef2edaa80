// Which app a request of a framework belongs to, so that `requireIdentity` needs no argument and two apps
// in one process keep apart. Knows no framework.
import { explainError } from '../server/problem.ts'
import type { WebApp } from '../server/web-app.ts'

/** The apps by the request of the framework. */
const apps = new WeakMap<object, WebApp>()

export const mount = (request: object, app: WebApp): void => void apps.set(request, app)

/** @throws Error for a request that `chartside` has not seen */
export function appOf(request: object): WebApp {
  const app = apps.get(request)
  if (app) return app
  throw new Error('Mount chartside(…) of the app kit before the routes that use it.')
}

/**
 * Returns the error response. A request that a body parser before `chartside` has refused has no app, and
 * gets one too.
 */
export function explainFor(request: object, thrown: unknown): Response {
  const app = apps.get(request)
  if (app) return app.explain(thrown)
  const { status, problem } = explainError(thrown)
  if (status === 500) console.error(thrown)
  return Response.json(problem, { status })
}

/**
 * Returns the error for a mount below a path, where addresses in the pages and in the page's script would
 * lead nowhere.
 */
export const atRootOnly = (prefix: string): Error =>
  new Error(
    `chartside is mounted at ${prefix}. Mount it at the root: its pages use addresses such as /api/session. A second app has a host name of its own.`,
  )
