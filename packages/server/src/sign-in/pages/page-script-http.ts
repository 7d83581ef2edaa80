// The edge of GET /auth/sign-in.mjs: serves the script of the sign-in pages. Its address holds a hash
// of its text, so browsers cache it for ever.
import type { Reply } from '../../http/call.ts'
import { loadPageScript } from './page-script.ts'

export async function showPageScript(): Promise<Reply> {
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: loadPageScript(),
  }
}
