// A token endpoint with a function as its service, and requests to it, for the tests of this
// folder. Opens no socket. Not part of the package.
import { createAppKit } from './index.ts'
import type { AppKitOptions } from './settings.ts'

export const SECRET = 'cs_secret'
export const BASE = 'https://service.invalid'

export function upstream(
  respond: () => Response | Promise<Response>,
  changes: Partial<AppKitOptions> = {},
) {
  const calls: { readonly url: string; readonly init: RequestInit }[] = []
  const lines: string[] = []
  const { handleTokenRequest: tokenEndpoint } = createAppKit({
    baseUrl: BASE,
    clientId: 'cli_1',
    clientSecret: SECRET,
    log: (line) => lines.push(line),
    fetch: async (url, init = {}) => {
      calls.push({ url: String(url), init })
      return respond()
    },
    ...changes,
  })
  return { calls, lines, tokenEndpoint }
}

export const post = (body: unknown, headers: Record<string, string> = {}): Request =>
  new Request('https://app.invalid/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
