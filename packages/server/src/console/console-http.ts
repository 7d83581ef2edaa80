// The edge of the console: one document for each of its addresses, under a policy without exception,
// and its files. What the document says of the installation is what a page must know before anyone is
// signed in. Security H01.

import type { HasConfig } from '../config/config.ts'
import { BUILT_PAGE_HEADERS, IMMUTABLE } from '../http/built-files.ts'
import type { PageCall, Reply } from '../http/call.ts'
import { html } from '../http/html/page.ts'
import { isForPerson } from '../http/input/accept.ts'
import { problemReply } from '../http/replies.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { CONSOLE_FILES } from './console-files.ts'

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
  const { script, sheet } = CONSOLE_FILES.load()
  const { origin, pathname } = new URL(config.baseUrl)
  const base = pathname.replace(/\/$/, '')
  const assets = `${base}/console/assets`
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...BUILT_PAGE_HEADERS,
    },
    body: html`<!doctype html>
<html lang="en" data-environment="${config.environment}" data-base="${base}" data-origin="${origin}" data-docs="${config.docs}">
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

export async function showConsoleFile(_service: unknown, call: PageCall): Promise<Reply> {
  const reply = CONSOLE_FILES.reply(call.rest, call, IMMUTABLE)
  if (!reply) throw notFound('file of the console')
  return reply
}
