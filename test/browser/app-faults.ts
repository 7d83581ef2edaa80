// What a test does to an app or its page so that a launch fails or ends: a changed callback, denied
// storage, a clock that is behind, a short token, a slow answer. Asserts only that it took effect.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@chartside/example-sandbox'
import type { Page, Route } from 'playwright-core'

export const LATE_CLOCK = fileURLToPath(new URL('../../.chartside/late-clock', import.meta.url))
const LATE_BY_TEN_MINUTES = 'const now = Date.now; Date.now = () => now() - 600_000\n'

/** Care Gaps on a machine whose clock is ten minutes behind. Inside the project, for its packages. */
export async function copyWithLateClock(): Promise<string> {
  const from = join(LATE_CLOCK, '../../examples/care-gaps')
  const isCopied = (path: string) => !path.includes('node_modules')
  await cp(from, LATE_CLOCK, { recursive: true, filter: isCopied })
  writeFileSync(join(LATE_CLOCK, 'clock.mjs'), LATE_BY_TEN_MINUTES)
  const path = join(LATE_CLOCK, 'chartside.app.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as object
  const start = 'node --import ./clock.mjs src/main.mjs'
  writeFileSync(path, JSON.stringify({ ...manifest, name: 'Late Clock', start }))
  return LATE_CLOCK
}

export const delayedBy = (ms: number) => async (route: Route) => {
  await new Promise((resolve) => setTimeout(resolve, ms))
  await route.continue()
}

/** Changes the answer of authorize, as a proxy or a router of the app might. */
export function changeCallback(
  page: Page,
  change: (query: URLSearchParams) => void,
): Promise<unknown> {
  return page.route('**/app-auth/authorize?*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const callback = new URL(response.headers().location ?? '')
    change(callback.searchParams)
    await route.fulfill({ status: 302, headers: { location: callback.href } })
  })
}

/** As a browser that blocks storage of third parties, in the frames of the apps only. */
export function denyStorage(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    if (window === window.parent) return
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException(`Failed to read the '${name}' property`, 'SecurityError')
        },
      })
    }
  })
}

/** Of every app; the returned function takes them back. */
export async function setTokenLifetimes(
  sandbox: Sandbox,
  seconds: number,
): Promise<() => Promise<void>> {
  const service = sandbox.places.service.url
  const call = async (method: string, path: string, body?: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(`${service}${path}`, init)
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as { token: string; items: { id: string }[] }
  }
  const authorization = `Bearer ${(await call('POST', '/auth/sign-in', sandbox.administrator)).token}`
  const { items } = await call('GET', '/api/apps', undefined, authorization)
  const set = async (accessTokenLifetimeSeconds: number | null): Promise<void> => {
    const patch = { accessTokenLifetimeSeconds }
    const paths = items.map(({ id }) => `/api/apps/${id}`)
    await Promise.all(paths.map((path) => call('PATCH', path, patch, authorization)))
  }
  await set(seconds)
  return () => set(null)
}
