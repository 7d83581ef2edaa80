// The edge of GET /auth/passkey.mjs: serves the script of the passkey forms. Its address holds a hash
// of its text, so browsers cache it for ever.
import type { Reply } from '../../http/route.ts'
import { loadPasskeyScript } from './passkey-script.ts'

export async function showPasskeyScript(): Promise<Reply> {
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: loadPasskeyScript(),
  }
}
