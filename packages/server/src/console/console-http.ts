// The edge of the console: one document for each of its addresses, under a policy without exception,
// and its files. What the document says of the installation is what a page must know before anyone is
// signed in. Security H01.

import type { HasConfig } from '../config/config.ts'
import type { PageCall, Reply } from '../http/call.ts'
import { html } from '../http/html/page.ts'
import { isForPerson } from '../http/input/accept.ts'
import { problemReply } from '../http/replies.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { findConsoleFile, loadBundle } from './console-files.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** A program at the home gets the error of an address without a record, as before. */
export async function redirectHome(
  { config }: HasConfig,
  { accept, traceId }: PageCall,
): Promise<Reply> {
  if (isForPerson(accept)) {
    const headers = { location: `${config.baseUrl}/console`, 'cache-control': 'no-store' }
    return { status: 303, headers }
  }
  const message = 'Nothing is at this address. See /doc for the addresses of the service.'
  return problemReply(new ApiError('not_found', message), traceId)
}

export async function showConsole({ config }: HasConfig): Promise<Reply> {
  const { script, sheet } = loadBundle()
  const { origin, pathname } = new URL(config.baseUrl)
  const base = pathname.replace(/\/$/, '')
  const assets = `${base}/console/assets`
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    },
    body: html`<!doctype html>
<html lang="en" data-environment="${config.environment}" data-base="${base}" data-origin="${origin}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chartside</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/${sheet}">
<div id="root"><noscript>The console needs JavaScript. The backend API is described at ${base}/doc.</noscript></div>
<script type="module" src="${assets}/${script}"></script>
</html>
`.html,
  }
}

export async function showConsoleFile(
  _service: unknown,
  { rest, encodings }: PageCall,
): Promise<Reply> {
  const file = findConsoleFile(rest)
  if (!file) throw notFound('file of the console')
  const isCompressed = /\bbr\b/.test(encodings)
  return {
    status: 200,
    headers: {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(isCompressed ? { 'content-encoding': 'br' } : {}),
    },
    body: file.open(isCompressed),
  }
}
