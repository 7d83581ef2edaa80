// Serves the script of the passkey forms, at an address that changes with its text, so that it may be
// kept for ever. Read at first use, not at start.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Reply } from '../../http/route.ts'
import type { Service } from '../../service.ts'

const PATH = '/auth/passkey.mjs'
let text: string | undefined

function load(): string {
  text ??= readFileSync(new URL('./passkey-page.mjs', import.meta.url), 'utf8')
  return text
}

export const passkeyScriptUrl = (baseUrl: string): string =>
  `${baseUrl}${PATH}?v=${hash('sha256', load(), 'hex').slice(0, 12)}`

export async function showPasskeyScript(_service: Service): Promise<Reply> {
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: load(),
  }
}
