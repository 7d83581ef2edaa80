// Gives every page its headers, with a new nonce for each request. Next.js reads the nonce from the
// policy in the request's headers and puts it on its scripts, so pages are rendered for each request.
import { buildPageHeaders, mintNonce } from '@chartside/app-kit/server'
import { type NextRequest, NextResponse } from 'next/server'
import { loadSettings } from './src/environment.ts'

export function proxy(request: NextRequest): NextResponse {
  const headers = buildPageHeaders(loadSettings(), mintNonce())
  const passedOn = new Headers(request.headers)
  passedOn.set('content-security-policy', headers['content-security-policy'] ?? '')
  const response = NextResponse.next({ request: { headers: passedOn } })
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** Route handlers set their own (src/chartside.ts); what Next.js has built needs none. */
export const config = { matcher: '/((?!api/|token$|backchannel-logout$|_next/static/).*)' }
