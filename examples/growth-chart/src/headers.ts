// The headers of every response, errors included: no store, no referrer, and a policy that allows
// the service's script and names who may frame the app. Spec §5.5.
import type { AppSettings } from '@chartside/app-kit/server'
import type { RequestHandler } from 'express'

export function setSecurityHeaders({ baseUrl, frameAncestors }: AppSettings): RequestHandler {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${new URL(baseUrl).origin}`,
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors.join(' ') || "'none'"}`,
  ]
  const headers = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': policy.join('; '),
  }
  return (_request, response, next) => {
    response.set(headers)
    next()
  }
}
